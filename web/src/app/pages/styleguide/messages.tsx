import { announce } from '../../../ui/toasts.ts';
import { Badge, LiveDot } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FacesRing } from '../../../ui/ring.tsx';
import { CardSkeletons } from '../../../ui/skeleton.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Specimen, Specimens } from './specimen.tsx';

export const Messages = () => (
  <Specimens title="Messages">
    <div className="grid gap-3">
      <Banner>Failed to load assets data</Banner>
      <Banner onRetry={() => announce('Tried again')}>Failed to load assets data</Banner>
      <Banner tone="note">Archived. Members can&apos;t see it until you restore it.</Banner>
    </div>
    <Specimen name="Badge, and the dot of what runs">
      <Badge>Shared</Badge>
      <Badge tone="accent">Owner</Badge>
      <Badge tone="live">Active</Badge>
      <LiveDot />
    </Specimen>
    <Specimen name="Toasts">
      <Button look="outline" onClick={() => announce('Announced')}>
        Announce
      </Button>
      <Button look="outline" onClick={() => announce('Failed to announce', { failed: true })}>
        Fail
      </Button>
    </Specimen>
    <Specimen name="Spinner">
      <Spinner label="Loading" />
      <Spinner label="Loading" size={28} />
    </Specimen>
    <CardSkeletons />
    <EmptyState title="Nothing here yet" art={<FacesRing faces={[]} />} action={<Button>Add Your First Asset</Button>}>
      Add what you pay for, and invite who uses it.
    </EmptyState>
  </Specimens>
);
