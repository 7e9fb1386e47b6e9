import { useNavigate } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { statementPage } from '../../platform/paths.ts';
import { Button } from '../../ui/button.tsx';

interface PrintButtonProps {
  assetId: number;
  asset: string;
  month: string;
}

/** Opens a statement's page and prints it. */
export function PrintButton({ assetId, asset, month }: PrintButtonProps) {
  const navigate = useNavigate();
  return (
    <Button
      look="plain"
      size="small"
      aria-label={t('Print the statement of {asset} for {month}', { asset, month: monthText(month) })}
      className="w-11 px-0! md:w-9"
      onClick={() => void navigate({ ...statementPage(assetId, month), state: { print: true } })}
    >
      <Printer aria-hidden size={18} />
    </Button>
  );
}
