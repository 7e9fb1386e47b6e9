import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/endpoint-query.ts';
import { queryClient } from '../../lib/query-client.ts';
import { Banner } from '../../ui/banner.tsx';

/** How to reach whoever runs this server. The page around it holds true also where nothing has been set. */
export function Contact() {
  // Its own client: this page stands in the frame of the signed-out too, which has none.
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
