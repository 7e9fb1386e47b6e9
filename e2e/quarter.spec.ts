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
      const server = await launch({ CLOCK_STANDS_AT: now }, { engine });
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
      // Each agrees to what an hour costs with those who are in already: Ben to 1999 ÷ 30, Ana to 1999 ÷ 40.
      await acceptOffer(mira, 'Car');
      await acceptOffer(ben, 'Films');
      await acceptOffer(ana, 'Films');

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
      // doesn't affect it. An hour of Films now costs 2399 ÷ 45, which is more than Ana agreed to.
      await moveClocksTo('2027-02-02T12:00-05:00');
      await mira.goto('/assets');
      await setPrice(await manage(mira, 'Costs'), '23.99');
      await mira.goto('/assets');
      await changeHours(await manage(mira, 'Share'), 'ben', 35);

      // Ben used 6 + 11 + 2 = 19 h of 30 + 10 = 40 h: 1999 × 19 ÷ 40 = 949.525, and Mira and Ana have larger fractions:
      // 1999 × 18.5 ÷ 40 = 924.5375 and 1999 × 2.5 ÷ 40 = 124.9375. With 4 h instead of 11 it is 12 h, once Mira accepts it.
      await ben.goto('/shared');
      await openUsage(ben, 'Films');
      const films = ben.getByRole('dialog');
      await films.getByRole('tab', { name: 'Costs' }).click();
      const before = 'You used 19 h at about $0.50 an hour: $9.49.';
      await expect(films).toContainText(before);
      await correctEnd(ben, /^Edit the session from Jan 20, 7:00\sPM$/, '2027-01-20T23:00');
      await films.getByRole('tab', { name: 'Costs' }).click();
      await expect(films).toContainText('Waiting for an answer. Without one, the recorded times count.');
      await expect(films).toContainText(before);
      await mira.goto('/assets');
      const sessions = await manage(mira, 'Sessions');
      await sessions.getByRole('button', { name: /^Accept ben's edit of the session from Jan 20/ }).click();
      await expect(sessions.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
      await ben.reload();
      await expect(films).toContainText('You used 12 h at about $0.50 an hour: $6.00.');
      await expect(films).toContainText('Open until February 4');

      // February 4. January closed for good at midnight, or with the first read after it.
      //
      // Films, 1999, price per hour, 40 h:           Car, 8999, by allowance, 20 + 10 = 30 h:
      //   Ben   12 h    599.70  → 600                 Mira  10 h  2999.67 → 3000
      //   Ana   2.5 h   124.94  → 125                 Ben   20 h  5999.33 → 5999
      //   Mira  25.5 h  1274.36 → 1274
      //
      // Mira and Ben: 3000 − 600 = 2400 to Ben. Ana and Mira: 125 to Mira.
      await moveClocksTo('2027-02-04T12:00-05:00');
      await read('January 2027', {
        mira: {
          balance: 'You owe ben $24.00; ana owes you $1.25.',
          open: { ben: ['You owe−$24.00', 'You owe ben $30.00', 'ben owes you $6.00'], ana: ['Owes you+$1.25'] },
          parts: {
            Films: [
              '$12.74',
              '$19.99 per month',
              'ben12 h of 30 h$6.00',
              '12 h × $19.99 ÷ 40 h = $6.00',
              'ana2.5 h of 10 h$1.25',
              '2 h 30 min × $19.99 ÷ 40 h = $1.25',
              '$19.99 − $1.25 − $6.00 = $12.74',
            ],
            Car: ['$30.00', 'You have 10 h a month at about $3.00 an hour: $30.00.', '10 h × $89.99 ÷ 30 h = $30.00'],
          },
        },
        ben: {
          balance: 'mira owes you $24.00.',
          open: { mira: ['Owes you+$24.00', 'mira owes you $30.00', 'You owe mira $6.00'] },
          parts: {
            Films: ['$6.00', 'You used 12 h at about $0.50 an hour: $6.00.', 'The request was accepted.'],
            Car: ['$59.99', '$89.99 per month', '10 h × $89.99 ÷ 30 h = $30.00'],
          },
        },
        ana: {
          balance: 'You owe mira $1.25.',
          open: { mira: ['You owe−$1.25'] },
          parts: { Films: ['$1.25', 'You used 2.5 h at about $0.50 an hour: $1.25.'] },
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
      await settleUp(mira, 'ben', 'I paid $24.00', ['CarJanuary−$30.00', 'FilmsJanuary+$6.00']);
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
      // Films rose from 1999 to 2399 in February, and the lower price holds for those who were in, rounded up to a cent.
      // With Ben's 35 h, there are 45 h.
      //   Ben   3 + 6 = 9 h   1999 × 9 ÷ 45 = 399.8 → 400
      //   Ana   3 h           1999 × 3 ÷ 45 = 133.27 → 134
      //   Mira  2399 − 400 − 134 = 1865
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
        '$18.65',
        '$23.99 per month',
        'ana3 h of 10 hYou cover $0.26 for ana.$1.34',
        "The price rose this month, but ana's charge is still based on $19.99: $1.34.",
        'ben9 h of 35 hYou cover $0.80 for ben.$4.00',
        '9 h × $19.99 ÷ 45 h = $4.00',
      ];
      await readCosts(mira, 'February 2027', {
        balance: '2 people owe you $5.34.',
        open: { ben: ['Owes you+$4.00'], ana: ['Owes you+$1.34'] },
        parts: { Films: filmsOfFebruary, Car: ['$18.00', 'Open until March 4'] },
      });

      // March 5. February of Car has closed too, still split by allowance. Since Ana joined, there are 20 + 10 + 20 = 50 h.
      //
      // Car, 8999, 50 h × 28 days = 1400:
      //   Mira  10 h × 28             280  1799.8 → 1800
      //   Ana   20 h × 14             280  1799.8 → 1800
      //   Ben   1400 − 280 − 280 = 840     5399.4 → 5399
      //
      // Mira and Ben: 1800 − 400 = 1400 to Ben. Ana and Mira: 134 to Mira. Ana and Ben: 1800 to Ben.
      await moveClocksTo('2027-03-05T12:00-05:00');
      await read('February 2027', {
        mira: {
          balance: 'You owe ben $14.00; ana owes you $1.34.',
          open: { ben: ['You owe−$14.00', 'You owe ben $18.00', 'ben owes you $4.00'], ana: ['Owes you+$1.34'] },
          parts: {
            Films: filmsOfFebruary,
            Car: ['$18.00', 'You have 10 h a month at about $1.80 an hour: $18.00.', '10 h × $89.99 ÷ 50 h = $18.00'],
          },
        },
        ben: {
          balance: '2 people owe you $32.00.',
          open: { ana: ['Owes you+$18.00'], mira: ['Owes you+$14.00', 'mira owes you $18.00', 'You owe mira $4.00'] },
          parts: {
            Films: ['$4.00', 'The price rose this month, but your charge is still based on $19.99: $4.00.'],
            Car: ['$53.99', 'ana5 h of 20 h$18.00', 'mira0 h of 10 h$18.00', '$89.99 − $18.00 − $18.00 = $53.99'],
          },
        },
        ana: {
          balance: 'You owe $19.34 to 2 people.',
          open: { ben: ['You owe−$18.00'], mira: ['You owe−$1.34'] },
          parts: {
            Films: ['$1.34', 'The price rose this month, but your charge is still based on $19.99: $1.34.'],
            Car: ['$18.00', 'You had 20 h a month on 14 of 28 days, at about $1.80 an hour: $18.00.'],
          },
        },
      });

      // Ben agrees to what Films costs with a base share. Ana never answers.
      await ben.goto('/shared');
      const question = ben.getByRole('group', { name: 'Question about Films' });
      await expect(question).toContainText('More of the price is now split by allowance.');
      await question.getByRole('button', { name: /^Agree to/ }).click();
      await expect(question).toHaveCount(0);
      await ana.goto('/shared');
      await expect(ana.getByRole('group', { name: 'Question about Films' })).toContainText(
        'An hour now costs about $0.53 instead of about $0.50.',
      );

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
      // Films, 2399, 25% of it (600, rounded half up) by allowance, the remaining 1799 by use, 45 h:
      //   Ben   35 h  466.67 → 467   3 + 6 = 9 h  359.80 → 360   827
      //   Ana   10 h  133.33 → 133   12 h         479.73 → 480   613, but she agreed to 1999 × 12 ÷ 40 = 599.7 → 600
      //   Mira  2399 − 827 − 600 = 972
      //
      // Car, 8999, evenly: 2999.67 each, two cents missing. They rotate by the months since January 2000, 27 × 12 + 2
      // = 326, and 326 ÷ 3 leaves 2: Ana, who joined third, comes first, then Mira.
      //   Ana 3000, Mira 3000, Ben 2999
      //
      // Mira and Ben: 1400 + 3000 − 827 = 3573 to Ben. Ana and Mira: 134 + 600 = 734 to Mira. Ana and Ben:
      // 1800 + 3000 = 4800 to Ben. Ben is owed 3573 + 4800 = 8373, and Ana owes 734 + 4800 = 5534.
      await moveClocksTo('2027-04-05T12:00-04:00');
      // Sign-ins last 90 days at most, so everyone's ended on April 1. Whoever signs in again gets back to where they were.
      for (const [page, name] of people) {
        await page.goto('/dashboard');
        await expect(page).toHaveURL(/\/login/);
        await signIn(page, name);
      }
      const inThree = ['$30.00', 'Split evenly among 3 people: $30.00.', '$89.99 ÷ 3 = $30.00'] satisfies Part;
      const carOfBen = [
        '$29.99',
        'ana0 h of 20 h$30.00',
        'mira4 h of 10 h$30.00',
        '$89.99 − $30.00 − $30.00 = $29.99',
      ] satisfies Part;
      await read('March 2027', {
        mira: {
          balance: 'You owe ben $35.73; ana owes you $7.34.',
          open: { ben: ['You owe−$35.73', 'You owe ben $48.00', 'ben owes you $12.27'], ana: ['Owes you+$7.34'] },
          parts: {
            Films: ['$9.72', 'ana12 h of 10 hYou cover $0.13 for ana.$6.00', 'ben9 h of 35 h$8.27'],
            Car: inThree,
          },
        },
        ben: {
          balance: '2 people owe you $83.73.',
          open: { ana: ['Owes you+$48.00'], mira: ['Owes you+$35.73', 'mira owes you $48.00', 'You owe mira $12.27'] },
          parts: {
            Films: [
              '$8.27',
              '25% of the price is split by allowance. You have 35 h a month at about $0.13 an hour: $4.67. ',
              'The rest is split by use. You used 9 h at about $0.40 an hour: $3.60. Total: $8.27.',
              '35 h × $6.00 ÷ 45 h = $4.67',
              '9 h × $17.99 ÷ 45 h = $3.60',
            ],
            Car: carOfBen,
          },
        },
        ana: {
          balance: 'You owe $55.34 to 2 people.',
          open: { ben: ['You owe−$48.00'], mira: ['You owe−$7.34'] },
          parts: {
            Films: ['$6.00', 'You used 12 h and agreed to about $0.50 an hour: $6.00.', '12 h × $19.99 ÷ 40 h = $6.00'],
            Car: inThree,
          },
        },
      });

      // Ben settles with Mira, and Mira with Ana. Only what Ana owes Ben is left.
      await settleUp(ben, 'mira', 'I received $35.73', [
        'Car2 months, February to March+$48.00',
        'Films2 months, February to March−$12.27',
      ]);
      await mira.reload();
      await settleUp(mira, 'ana', 'I received $7.34');
      await read('March 2027', {
        mira: {
          balance: "You're all settled up. New balances appear when a month closes.",
          open: {},
          parts: { Films: ['$9.72', 'Settled'], Car: ['$30.00', 'Settled'] },
        },
        ben: {
          balance: 'ana owes you $48.00.',
          open: { ana: ['Owes you+$48.00', 'February 2027$18.00Due', 'March 2027$30.00Due'] },
          parts: {
            Films: ['$8.27', 'Settled'],
            Car: [...carOfBen, 'Settled'],
          },
        },
        ana: {
          balance: 'You owe ben $48.00.',
          open: { ben: ['You owe−$48.00'] },
          parts: { Films: ['$6.00', 'Settled'], Car: ['$30.00', 'Due'] },
        },
      });
    },
  );
