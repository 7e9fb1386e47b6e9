import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { queryClient } from '../../platform/http/query-client.ts';
import { Banner } from '../../ui/banner.tsx';
import { textLink } from '../../ui/text-link.ts';

const linkTo = (href: string) => (text: ReactNode) => (
  <a href={href} rel="noreferrer" className={`${textLink} [overflow-wrap:anywhere]`}>
    {text}
  </a>
);

/** How to reach the operator of this server; empty when no contact is set. */
export function Contact() {
  // Signed-out pages have no QueryClientProvider.
  const { data, isError, refetch } = useQuery(endpointQuery('GET /api/about/', {}), queryClient);
  if (isError)
    return (
      <Banner className="mt-3" onRetry={() => void refetch()}>
        {t("Couldn't load the contact address.")}
      </Banner>
    );
  if (!data?.contact) return null;
  const isWeb = /^https?:/.test(data.contact);
  const address = data.contact.replace(/^https?:\/\/|\/$/g, '');
  const link = linkTo(isWeb ? data.contact : `mailto:${data.contact}`);
  return (
    <p>
      {isWeb
        ? rich('Contact them at <link>{address}</link>.', { address, link })
        : rich('Write to <link>{address}</link>.', { address, link })}
    </p>
  );
}
