// Users and assets at the product's limits: none, many, very long names, and right-to-left text.

const WIDEST = 'W'.repeat(30);

export const NAMES = [
  'W'.repeat(100),
  'A subscription that somebody gave the longest name there can be, because nobody told them not to, ok',
  'اشتراك العائلة في مكتبة الأفلام والمسلسلات الوثائقية العربية للسنة القادمة كلها',
  'מנוי משפחתי לספריית הסרטים והסדרות',
  'Films (العربية) and more',
  '映画と音楽の家族プラン、みんなで使うためのとても長い名前',
  'i',
  '🎬🎧📚🚗🎿🏠🎮💾☎️🧺',
];

const LONG_TEXT = `${'Everything there is to say about it, and then some. '.repeat(20)}${'W'.repeat(300)}`;

/**
 * @param {import('./clocked-app.mjs').ClockedApp['call']} call
 * @param {{ members: number, assets: number, password: string }} amounts
 * @returns {Promise<Record<string, any>>} the sign-ins of users with no, one, twelve, and `assets` assets
 */
export async function liveAtTheLimits(call, { members, assets, password }) {
  const register = (/** @type {string} */ username) =>
    call('POST', '/api/register/', { body: { username, email: `${username}@example.org`, password } });
  /** @type {Record<string, any>} */
  const people = {};
  for (const [name, username] of Object.entries({ nothing: 'nil', one: 'uno', twelve: 'duodecim', most: WIDEST }))
    people[name] = await register(username);
  const crowd = [];
  for (let number = 0; number < members; number++)
    crowd.push(await register(number % 3 === 0 ? `member-${number}`.padEnd(30, '_W') : `member-${number}`));

  /** @param {any} owner @param {number} number */
  const add = async (owner, number) => {
    const body = {
      name: NAMES[number] ?? `Subscription ${number}`,
      description: ['', LONG_TEXT, 'وصف قصير', 'Living room and phones'][number % 4],
      subscription_cost: number === 0 ? 9_999_999.99 : number,
    };
    return (await call('POST', '/api/assets/', { as: owner.user.id, body })).id;
  };
  /** @param {any} owner @param {number} asset @param {any} member @param {number} hours */
  const share = async (owner, asset, member, hours) => {
    await call('POST', `/api/assets/${asset}/share/`, {
      as: owner.user.id,
      body: { username: member.user.username, monthly_hours_allocated: hours },
    });
    const { results } = await call('GET', '/api/shared-assets/', { as: member.user.id });
    const { id } = results.find((/** @type {any} */ each) => each.asset.id === asset);
    await call('POST', `/api/shared-assets/${id}/accept/`, { as: member.user.id });
  };
  const start = async (/** @type {any} */ member) => {
    const { results } = await call('GET', '/api/shared-assets/', { as: member.user.id });
    await call('POST', `/api/shared-assets/${results[0].id}/start/`, { as: member.user.id });
  };

  await add(people.one, 0);
  for (let number = 0; number < 12; number++) await add(people.twelve, number);
  const owned = [];
  for (let number = 0; number < assets; number++) owned.push(await add(people.most, number));
  for (const member of crowd) await share(people.most, owned[0], member, 744);
  for (const member of crowd.slice(0, 3)) await start(member);
  const lender = crowd[0];
  for (let number = 0; number < NAMES.length; number++)
    await share(lender, await add(lender, number), people.most, number === 1 ? 1 : 744);
  await start(people.most);
  return people;
}
