import { useId } from 'react';
import { InvitationLink } from '../../../features/shares/invitation-link.tsx';
import type { FirstOutcome } from './first-asset.tsx';

type Link = FirstOutcome['links'][number];

interface FirstLinksProps {
  asset: FirstOutcome['asset'];
  links: Link[];
  onDone: (link: Link) => void;
}

/** The links of those who were invited without an account, until they have been passed on. */
export function FirstLinks({ asset, links, onDone }: FirstLinksProps) {
  const id = useId();
  return links.map((link) => (
    <div key={link.invitation.id} className="mb-5">
      <h3 id={`${id}-${link.invitation.id}`} className="font-semibold">
        <bdi>{link.name}</bdi>
      </h3>
      <InvitationLink
        headingId={`${id}-${link.invitation.id}`}
        asset={asset}
        invitation={link.invitation}
        onDone={() => onDone(link)}
      />
    </div>
  ));
}
