import { useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, CardGrid } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Definition, DefinitionList } from '../../../ui/definition-list.tsx';
import { Dialog, DialogBody, DialogButtons } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Avatar, AvatarStack } from '../../../ui/avatar.tsx';
import { BrokenRing, FacesRing, FullRing, PausedRing } from '../../../ui/ring.tsx';
import { Tile } from '../../../ui/tile.tsx';
import { Specimen, Specimens } from './specimen.tsx';

const services = ['Netflix Premium', 'Spotify Family', 'YouTube Music', 'Apple TV+', 'Figma', '1Password', 'Car share'];

type Opened = 'dialog' | 'confirm' | 'failed' | null;

function Dialogs() {
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  return (
    <Specimen name="Dialog and ConfirmDialog">
      <Button look="outline" onClick={() => setOpened('dialog')}>
        Open a dialog
      </Button>
      <Button look="outline" onClick={() => setOpened('confirm')}>
        Ask first
      </Button>
      <Button look="outline" onClick={() => setOpened('failed')}>
        Ask, and fail
      </Button>
      {opened === 'dialog' && (
        <Dialog
          title="Figma Professional"
          description="Shared by ben, 20 hours a month"
          emblem={<Tile name="Figma Professional" />}
          onClose={close}
        >
          <DialogBody>
            <TextField label="Where the work begins" />
            <DialogButtons>
              <Button look="outline" onClick={close}>
                Cancel
              </Button>
              <Button onClick={close}>Save</Button>
            </DialogButtons>
          </DialogBody>
        </Dialog>
      )}
      {(opened === 'confirm' || opened === 'failed') && (
        <ConfirmDialog
          title="Delete Figma Professional?"
          confirm="Delete"
          busyText="Deleting..."
          busy={false}
          failure={opened === 'failed' ? 'Failed to delete asset.' : null}
          onConfirm={close}
          onCancel={close}
        >
          <p>This also deletes its sessions. This can&apos;t be undone.</p>
        </ConfirmDialog>
      )}
    </Specimen>
  );
}

export const Containers = () => (
  <Specimens title="Containers">
    <CardGrid>
      <Card as="li">
        <div className="flex items-center gap-3">
          <Tile name="Netflix Premium" />
          <h3 className="min-w-0 flex-1 font-semibold">Netflix Premium</h3>
          <Badge tone="accent">Owner</Badge>
        </div>
      </Card>
      <Card as="li">
        <DefinitionList>
          <Definition name="Used Hours">14.5 h</Definition>
          <Definition name="Allocated Hours">20 h</Definition>
        </DefinitionList>
      </Card>
    </CardGrid>
    <Specimen name="Tile: a service, something else">
      {services.map((name) => (
        <Tile key={name} name={name} />
      ))}
    </Specimen>
    <Specimen name="Avatar: eight hues, someone who uses it now, and no one yet">
      {['mira', 'ana', 'ben', 'chen', 'dora', 'eli', 'fay', 'gus'].map((name, hue) => (
        <Avatar key={name} name={name} hue={hue} live={hue === 1} />
      ))}
      <Avatar name="?" hue={null} />
      <AvatarStack people={['ana', 'ben', 'chen'].map((name, hue) => ({ key: name, name, hue, live: hue === 1 }))} />
    </Specimen>
    <Specimen name="Rings: faces, broken, full, paused">
      <FacesRing
        faces={[
          { name: 'mira', hue: 0 },
          { name: 'ana', hue: 2 },
        ]}
      >
        <Tile name="Netflix Premium" size="huge" />
      </FacesRing>
      <BrokenRing />
      <FullRing>
        <Avatar name="dora" hue={3} size="huge" />
      </FullRing>
      <PausedRing />
    </Specimen>
    <Dialogs />
  </Specimens>
);
