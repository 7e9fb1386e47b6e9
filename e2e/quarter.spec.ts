import type { Page } from '@playwright/test';
import { engines } from './server.ts';
import { expect, test } from './test.ts';
import {
  type Costs,
  type Part,
  acceptOffer,
  addAsset,
  changeHours,
  closeMonth,
  confirmPayment,
  correctEnd,
  device,
  endSession,
  manage,
  openUsage,
  openBalance,
  readCosts,
  registerByForm,
  saveSplit,
  sayNothingToEdit,
  setPrice,
  settleUp,
  shareWith,
  signIn,
  startSession,
} from './verbs.ts';

// Three people, two assets and three months, through the screens only. Mira pays for Films and shares it with Ben
// and Ana; Ben pays for Car and shares it with Mira and later Ana. Comments calculate each sum by hand in whole
// cents: exact parts are rounded down, and the missing cents go one each to the largest fractions.

// New York's clocks go forward in the night to March 14, in the third month.
test.use({ timezoneId: 'America/New_York', locale: 'en-US', contextOptions: { reducedMotion: 'reduce' } });

for (const engine of engines)
  test(
    `a quarter with three people and two assets adds up to the cent (${engine})`,
    { tag: engine === engines.at(-1) ? '@journey' : [] },
    async ({ browser, launch }) => {
      let now = '2027-01-01T09:00-05:00';
      const server = await launch(engine, { CLOCK_STANDS_AT: now });
      const mira = await device(browser, server);
      const ben = await device(browser, server);
      const ana = await device(browser, server);
      const people = [
        [mira, 'mira'],
        [ben, 'ben'],
        [ana, 'ana'],
      ] as const;

      /** Moves the clocks of the server and all devices forward to a moment. */
      const moveClocksTo = async (moment: string) => {
        await server.advance(Date.parse(moment) - Date.parse(now));
        now = moment;
        for (const page of [mira, ben, ana]) await page.context().clock.setFixedTime(moment);
      };
      const use = async (page: Page, asset: string, ...sessions: [from: string, to: string][]) => {
        await page.goto('/shared');
        await openUsage(page, asset);
        for (const [from, to] of sessions) {
          await moveClocksTo(from);
          await startSession(page);
          await moveClocksTo(to);
          await endSession(page);
        }
      };
      const read = (month: string, costs: Record<'mira' | 'ben' | 'ana', Costs>) =>
        Promise.all([
          readCosts(mira, month, costs.mira),
          readCosts(ben, month, costs.ben),
          readCosts(ana, month, costs.ana),
        ]);
      await moveClocksTo(now);

      // January 1. They register one after the other, because odd cents rotate in the order in which people joined.
      for (const [page, name] of people) await registerByForm(page, name);
      await addAsset(mira, { name: 'Films', description: '', cost: '19.99' });
      await shareWith(mira, 'ben', 30);
      await shareWith(mira, 'ana', 10);
      await ben.goto('/assets');
      await addAsset(ben, { name: 'Car', description: '', cost: '89.99' });
      await shareWith(ben, 'mira', 10);
      // Before anyone accepts, a split applies from this month.
      await saveSplit(await manage(ben, 'Costs'), { method: 'By allowance', ownHours: 20 });
      await Promise.all([acceptOffer(mira, 'Car'), acceptOffer(ben, 'Films'), acceptOffer(ana, 'Films')]);

      // January. Ben forgets to end his second session, and his third is active when the month ends.
      await use(mira, 'Car', ['2027-01-10T10:00-05:00', '2027-01-10T14:00-05:00']);
      await use(ana, 'Films', ['2027-01-11T20:00-05:00', '2027-01-11T22:30-05:00']);
      await use(
        ben,
        'Films',
        ['2027-01-12T18:00-05:00', '2027-01-13T00:00-05:00'],
        ['2027-01-20T19:00-05:00', '2027-01-21T06:00-05:00'],
        ['2027-01-31T22:00-05:00', '2027-02-01T03:00-05:00'],
      );

      // February 2. January has ended and can be edited until the 4th. What Mira changes now applies from February and
      // doesn't affect it.
      await moveClocksTo('2027-02-02T12:00-05:00');
      await mira.goto('/assets');
      await setPrice(await manage(mira, 'Costs'), '23.99');
      await mira.goto('/assets');
      await changeHours(await manage(mira, 'Share'), 'ben', 35);

      // Ben used 6 + 11 + 2 = 19 h of 30 + 10 = 40 h: 1999 × 19 ÷ 40 = 949.525, and Mira and Ana have larger fractions:
      // 1999 × 18.5 ÷ 40 = 924.5375 and 1999 × 2.5 ÷ 40 = 124.9375. With 4 h instead of 11 it is 12 h.
      await ben.goto('/shared');
      await openUsage(ben, 'Films');
      const films = ben.getByRole('dialog');
      await films.getByRole('tab', { name: 'Costs' }).click();
      await expect(films).toContainText('You used 19 h of 40 h available: $19.99 × 19 ÷ 40 = $9.49.');
      await correctEnd(ben, /^Edit the session from Jan 20, 7:00\sPM$/, '2027-01-20T23:00');
      await films.getByRole('tab', { name: 'Costs' }).click();
      await expect(films).toContainText('You used 12 h of 40 h available: $19.99 × 12 ÷ 40 = $6.00.');
      await expect(films).toContainText('Open until February 4');

      // February 4. January closed for good at midnight, or with the first read after it.
      //
      // Films, 1999, by use, 40 h available:         Car, 8999, by monthly hours, 20 + 10 = 30 h:
      //   Ben   12 h    599.70  → 600                 Mira  10 h  2999.67 → 3000
      //   Ana   2.5 h   124.94  → 125                 Ben   20 h  5999.33 → 5999
      //   Mira  25.5 h  1274.36 → 1274
      //
      // Mira and Ben: 3000 − 600 = 2400 to Ben. Ana and Mira: 125 to Mira.
      await moveClocksTo('2027-02-04T12:00-05:00');
      const odd = 'Rounded up by less than $0.01.';
      await read('January 2027', {
        mira: {
          balance: 'You owe ben $24.00; ana owes you $1.25.',
          open: { ben: ['You owe−$24.00', 'You owe ben $30.00', 'ben owes you $6.00'], ana: ['Owes you+$1.25'] },
          parts: {
            Films: [
              '$12.74',
              '$19.99 per month',
              'ben30 h allowed$19.99 × 12 h ÷ 40 h = $6.00',
              'ana10 h allowed$19.99 × 2.5 h ÷ 40 h = $1.25',
            ],
            Car: ['$30.00', `You have an allowance of 10 h out of 30 h per month: $89.99 × 10 ÷ 30 = $30.00. ${odd}`],
          },
        },
        ben: {
          balance: 'mira owes you $24.00.',
          open: { mira: ['Owes you+$24.00', 'mira owes you $30.00', 'You owe mira $6.00'] },
          parts: {
            Films: ['$6.00', `You used 12 h of 40 h available: $19.99 × 12 ÷ 40 = $6.00. ${odd}`],
            Car: ['$59.99', '$89.99 per month', 'mira10 h allowed$89.99 × 10 h ÷ 30 h = $30.00'],
          },
        },
        ana: {
          balance: 'You owe mira $1.25.',
          open: { mira: ['You owe−$1.25'] },
          parts: { Films: ['$1.25', `You used 2.5 h of 40 h available: $19.99 × 2.5 ÷ 40 = $1.25. ${odd}`] },
        },
      });

      // Ana pays, Mira confirms and settles the rest with Ben, who confirms. No balances are left.
      const debt = await openBalance(ana, 'mira');
      await debt.getByRole('button', { name: 'Mark as sent for Films, January 2027' }).click();
      await expect(debt.getByText('Sent', { exact: true })).toBeVisible();
      await mira.reload();
      const credit = await openBalance(mira, 'ana');
      await expect(credit.getByText('Sent', { exact: true })).toBeVisible();
      await credit.getByRole('button', { name: 'Mark as paid for Films, January 2027' }).click();
      await expect(credit).toContainText('Nothing due');
      await settleUp(mira, 'ben', 'you paid ben $24.00', 'ben owes you $6.00, and you owe ben $30.00.');
      await confirmPayment(ben, 'mira', '$24.00');
      for (const page of [mira, ben, ana]) {
        await page.reload();
        await expect(page.getByText("You're all settled up. New balances appear when a month closes.")).toBeVisible();
      }
      await expect(ben.getByRole('region', { name: 'Payment history' })).toContainText(/mira paid you today.*\$24\.00/);

      // February. Ana joins Car on the 15th, for the last 14 of 28 days.
      await use(ben, 'Films', ['2027-02-09T18:00-05:00', '2027-02-10T00:00-05:00']);
      await moveClocksTo('2027-02-15T10:00-05:00');
      await ben.goto('/assets');
      await shareWith(ben, 'ana', 20);
      await acceptOffer(ana, 'Car');
      await use(ana, 'Films', ['2027-02-16T20:00-05:00', '2027-02-16T23:00-05:00']);
      await use(ana, 'Car', ['2027-02-20T10:00-05:00', '2027-02-20T15:00-05:00']);
      // Both owners change how the cost is split from March on. February stays as it is.
      await mira.goto('/assets');
      await saveSplit(await manage(mira, 'Costs'), { basePart: 25 });
      await ben.goto('/assets');
      await saveSplit(await manage(ben, 'Costs'), { method: 'Evenly' });

      // March 2. Mira closes February of Films; Car's stays open.
      //
      // Films, 2399, by use. Ben had 30 h on 1 day and 35 h on 27 days, Ana 10 h on 28: 975 + 280 = 1255 hour-days.
      //   Ben   3 + 6 = 9 h × 28 days = 252   481.71 → 482
      //   Ana   3 h × 28 days = 84            160.57 → 160
      //   Mira  1255 − 336 = 919             1756.72 → 1757
      await moveClocksTo('2027-03-02T12:00-05:00');
      for (const page of [ben, ana]) {
        await page.goto('/shared');
        await openUsage(page, 'Films');
        await page.getByRole('dialog').getByRole('tab', { name: 'Costs' }).click();
        await sayNothingToEdit(page, 'February 2027');
      }
      await mira.goto('/assets');
      await manage(mira, 'Costs');
      await closeMonth(mira, 'February 2027');
      const filmsOfFebruary: Part = [
        '$17.57',
        '$23.99 per month',
        'ana10 h allowed$23.99 × 84 hour-days ÷ 1,255 hour-days = $1.60',
        'ben34 h 49 min 17 s allowed$23.99 × 252 hour-days ÷ 1,255 hour-days = $4.82',
      ];
      await readCosts(mira, 'February 2027', {
        balance: '2 people owe you $6.42.',
        open: { ben: ['Owes you+$4.82'], ana: ['Owes you+$1.60'] },
        parts: { Films: filmsOfFebruary, Car: ['$22.50', 'Open until March 4'] },
      });

      // March 5. February of Car has closed too, still split by monthly hours.
      //
      // Car, 8999, 10 h × 28 days + 20 h × 14 + 20 h × 28 = 1120, equal to 40 h all month:
      //   Mira  10 h × 28  2249.75 → 2250
      //   Ana   20 h × 14  2249.75 → 2250
      //   Ben   20 h × 28  4499.50 → 4499
      //
      // Mira and Ben: 2250 − 482 = 1768 to Ben. Ana and Mira: 160 to Mira. Ana and Ben: 2250 to Ben.
      await moveClocksTo('2027-03-05T12:00-05:00');
      await read('February 2027', {
        mira: {
          balance: 'You owe ben $17.68; ana owes you $1.60.',
          open: { ben: ['You owe−$17.68', 'You owe ben $22.50', 'ben owes you $4.82'], ana: ['Owes you+$1.60'] },
          parts: {
            Films: filmsOfFebruary,
            Car: ['$22.50', `You have an allowance of 10 h out of 40 h per month: $89.99 × 10 ÷ 40 = $22.50. ${odd}`],
          },
        },
        ben: {
          balance: '2 people owe you $40.18.',
          open: { ana: ['Owes you+$22.50'], mira: ['Owes you+$17.68', 'mira owes you $22.50', 'You owe mira $4.82'] },
          parts: {
            Films: [
              '$4.82',
              'Your allowance changed: 28 of 28 days make 975 hour-days.',
              `You used 9 h, which times 28 days is 252 of 1,255 hour-days available: $23.99 × 252 ÷ 1,255 = $4.82. ${odd}`,
            ],
            Car: [
              '$44.99',
              'ana20 h on 14 of 28 days$89.99 × 10 h ÷ 40 h = $22.50',
              'mira10 h allowed$89.99 × 10 h ÷ 40 h = $22.50',
            ],
          },
        },
        ana: {
          balance: 'You owe $24.10 to 2 people.',
          open: { ben: ['You owe−$22.50'], mira: ['You owe−$1.60'] },
          parts: {
            Films: [
              '$1.60',
              'You used 3 h, which times 28 days is 84 of 1,255 hour-days available: $23.99 × 84 ÷ 1,255 = $1.60. Rounded down by less than $0.01.',
            ],
            Car: [
              '$22.50',
              'You had 20 h per month on 14 of 28 days, which counts as 10 h of 40 h: $89.99 × 10 ÷ 40 = $22.50.',
            ],
          },
        },
      });

      // March. On the 14th, the clocks show 4:30 AM three hours after 0:30 AM. Ana uses more than her 10 h.
      await use(
        ben,
        'Films',
        ['2027-03-14T00:30-05:00', '2027-03-14T04:30-04:00'],
        ['2027-03-20T18:00-04:00', '2027-03-21T00:00-04:00'],
      );
      await use(ana, 'Films', ['2027-03-22T08:00-04:00', '2027-03-22T20:00-04:00']);
      await use(mira, 'Car', ['2027-03-25T10:00-04:00', '2027-03-25T14:00-04:00']);

      // April 5. March has closed.
      //
      // Films, 2399, 25% of it (600, rounded half up) by monthly hours, the remaining 1799 by use, 45 h available:
      //   Ben   35 h  466.67 → 467   3 + 6 = 9 h  359.80 → 360   827
      //   Ana   10 h  133.33 → 133   12 h         479.73 → 480   613
      //   Mira   0 h    0            24 h         959.47 → 959   959
      //
      // Car, 8999, evenly: 2999.67 each, two cents missing. They rotate by the months since January 2000, 27 × 12 + 2
      // = 326, and 326 ÷ 3 leaves 2: Ana, who joined third, comes first, then Mira.
      //   Ana 3000, Mira 3000, Ben 2999
      //
      // Mira and Ben: 1768 + 3000 − 827 = 3941 to Ben. Ana and Mira: 160 + 613 = 773 to Mira. Ana and Ben:
      // 2250 + 3000 = 5250 to Ben. Ben is owed 3941 + 5250 = 9191, and Ana owes 773 + 5250 = 6023.
      await moveClocksTo('2027-04-05T12:00-04:00');
      // Sign-ins last 90 days at most, so everyone's ended on April 1. Whoever signs in again gets back to where they were.
      for (const [page, name] of people) {
        await page.goto('/dashboard');
        await expect(page).toHaveURL(/\/login/);
        await signIn(page, name);
      }
      const inThree = `Split evenly among 3 people: $89.99 ÷ 3 = $30.00. ${odd}`;
      await read('March 2027', {
        mira: {
          balance: 'You owe ben $39.41; ana owes you $7.73.',
          open: { ben: ['You owe−$39.41', 'You owe ben $52.50', 'ben owes you $13.09'], ana: ['Owes you+$7.73'] },
          parts: {
            Films: ['$9.59', 'ana12 h = 10 h allowed + 2 h extra$6.13', 'ben35 h allowed$8.27'],
            Car: ['$30.00', inThree],
          },
        },
        ben: {
          balance: '2 people owe you $91.91.',
          open: { ana: ['Owes you+$52.50'], mira: ['Owes you+$39.41', 'mira owes you $52.50', 'You owe mira $13.09'] },
          parts: {
            Films: [
              '$8.27',
              `25% of the price is split by allowance. You have an allowance of 35 h out of 45 h per month: $6.00 × 35 ÷ 45 = $4.67. ${odd}`,
              `The rest is split by use. You used 9 h of 45 h available: $17.99 × 9 ÷ 45 = $3.60. ${odd} Total: $8.27.`,
            ],
            Car: ['$29.99', 'ana20 h allowed$89.99 × 1 ÷ 3 = $30.00', 'mira10 h allowed$89.99 × 1 ÷ 3 = $30.00'],
          },
        },
        ana: {
          balance: 'You owe $60.23 to 2 people.',
          open: { ben: ['You owe−$52.50'], mira: ['You owe−$7.73'] },
          parts: {
            Films: ['$6.13', '$6.00 × 10 ÷ 45 = $1.33.', '$17.99 × 12 ÷ 45 = $4.80.'],
            Car: ['$30.00', inThree],
          },
        },
      });

      // Ben settles with Mira, and Mira with Ana. Only what Ana owes Ben is left.
      await settleUp(ben, 'mira', 'mira paid you $39.41', 'mira owes you $52.50, and you owe mira $13.09.');
      await mira.reload();
      await settleUp(mira, 'ana', 'ana paid you $7.73');
      await read('March 2027', {
        mira: {
          balance: "You're all settled up. New balances appear when a month closes.",
          open: {},
          parts: { Films: ['$9.59', 'Settled'], Car: ['$30.00', 'Settled'] },
        },
        ben: {
          balance: 'ana owes you $52.50.',
          open: { ana: ['Owes you+$52.50', 'Car$22.50February 2027Due', 'Car$30.00March 2027Due'] },
          parts: {
            Films: ['$8.27', 'Settled'],
            Car: [
              '$29.99',
              'ana20 h allowed$89.99 × 1 ÷ 3 = $30.00',
              'mira10 h allowed$89.99 × 1 ÷ 3 = $30.00',
              'Settled',
            ],
          },
        },
        ana: {
          balance: 'You owe ben $52.50.',
          open: { ben: ['You owe−$52.50'] },
          parts: { Films: ['$6.13', 'Settled'], Car: ['$30.00', 'Due'] },
        },
      });
    },
  );
