import { useState } from 'react';

/** Keeps items in the order they had when the page was opened, so that none moves under the pointer; new ones come last. */
export function useFirstOrder<T extends { id: number }>(items: T[], sort: (items: T[]) => T[]): T[] {
  const [ids] = useState(() => sort(items).map(({ id }) => id));
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: T) => places.get(id) ?? places.size;
  return items.toSorted((left, right) => placeOf(left) - placeOf(right));
}
