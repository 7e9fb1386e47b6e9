import { callServer, register } from '../harness/calls.mjs';

let accounts = 0;
/** Creates an account, with a name of its own. Returns its tokens. @param {string} url */
export const newUser = (url) => register(url, `bench${(accounts += 1)}`);

/** Adds an asset with members, who have accepted. Returns its owner, its path, and their shares. @param {string} url @param {number} count */
export async function newHousehold(url, count) {
  const owner = await newUser(url);
  const asset = await callServer(url, 'POST /api/assets/', { name: 'Sauna', subscription_cost: 30 }, owner.access);
  const path = `/api/assets/${asset.id}/`;
  /** @type {{ access: string, share: number }[]} */
  const members = [];
  for (let index = 0; index < count; index += 1) {
    const { user, access } = await newUser(url);
    const offer = { username: user.username, monthly_hours_allocated: 700 };
    await callServer(url, `POST ${path}share/`, offer, owner.access);
    const { results } = await callServer(url, 'GET /api/shared-assets/', undefined, access);
    await callServer(url, `POST /api/shared-assets/${results[0].id}/accept/`, {}, access);
    members.push({ access, share: results[0].id });
  }
  return { owner, path, members };
}
