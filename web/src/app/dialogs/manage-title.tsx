import { rich } from '../../platform/i18n/messages.ts';

/** Shows only the asset's name; the prefix is for screen readers. */
export const ManageTitle = ({ name }: { name: string }) =>
  rich('<hidden>Manage Asset: </hidden><asset>{name}</asset>', {
    name,
    hidden: (text) => <span className="sr-only">{text}</span>,
    asset: (text) => <span dir="auto">{text}</span>,
  });
