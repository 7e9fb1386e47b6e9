import { Avatar } from '../../ui/avatar.tsx';

/** A person at the start of a row of figures. */
export const PersonName = ({ name, hue }: { name: string; hue: number | null }) => (
  <span className="flex items-center gap-2">
    <Avatar name={name} hue={hue} size="small" />
    <bdi className="truncate">{name}</bdi>
  </span>
);
