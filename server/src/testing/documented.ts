import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import { errorStatusesOf } from '../platform/http/openapi.ts';

/** Answered before it is known which call is made. */
const BEFORE_THE_CALL = [431];

const calls = Object.entries<Endpoint>(endpoints)
  .map(([key, endpoint]) => {
    const [method = '', path = ''] = key.split(' ');
    const pattern = path
      .replace(/\/$/, '/?')
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '[^/]+');
    const statuses = [
      ...Object.keys(endpoint.answers).map(Number),
      ...errorStatusesOf(key, endpoint),
      ...BEFORE_THE_CALL,
    ];
    return { method, pattern: new RegExp(`^${pattern}$`), statuses, params: path.split('{').length };
  })
  // A path is rather a fixed one than one with an id in its place.
  .toSorted((one, other) => one.params - other.params);

/** Returns the statuses that the API's document has for a call; undefined for what is no call. */
export function documentedStatuses(method: string, address: string): number[] | undefined {
  const path = address.split('?')[0] ?? '';
  return calls.find((each) => each.method === method && each.pattern.test(path))?.statuses;
}
