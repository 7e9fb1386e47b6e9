import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/endpoint-query.ts';
import { queryClient } from '../../lib/query-client.ts';
import { Banner } from '../../ui/banner.tsx';

/** How to reach the operator of this server; empty when no contact is set. */
export function Contact() {
  // Signed-out pages have no QueryClientProvider.
  const { data, isError, refetch } = useQuery(endpointQuery('GET /api/about/', {}), queryClient);
  if (isError)
    return (
      <Banner className="mt-3" onRetry={() => void refetch()}>
        Failed to load the contact address.
      </Banner>
    );
  if (!data?.contact) return null;
  const isWeb = /^https?:/.test(data.contact);
  return (
    <p>
      {isWeb ? 'Reach them at' : 'Write to'}{' '}
      <a href={isWeb ? data.contact : `mailto:${data.contact}`} rel="noreferrer" className="[overflow-wrap:anywhere]">
        {data.contact.replace(/^https?:\/\/|\/$/g, '')}
      </a>
      .
    </p>
  );
}
