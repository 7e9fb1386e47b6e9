import type { OwnedAsset } from '@hourshare/contract/assets';
import { Check, UserRoundPlus } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { acceptedEntries, currentUsers, hasUse, offeredNames } from '../../../features/assets/rules.ts';
import { splitSentence } from '../../../features/periods/terms-text.ts';
import { keepFocusInPage } from '../../../ui/focus.ts';
import { formatNumber } from '../../../platform/format/numbers.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { assetDialog } from '../../../platform/paths.ts';
import { loseEdits } from '../../../platform/forms/unsaved.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/class-names.ts';
import { dialogOf, useDialogAddress } from '../../dialog-address.ts';
import type { FirstOutcome } from './first-asset.tsx';

const FirstAsset = lazy(async () => ({ default: (await import('./first-asset.tsx')).FirstAsset }));
const FirstLinks = lazy(async () => ({ default: (await import('./first-links.tsx')).FirstLinks }));
const FirstShare = lazy(async () => ({ default: (await import('./first-share.tsx')).FirstShare }));

const STEPS = [
  { name: () => t('Add [[step]]'), text: () => t('Something you pay for every month') },
  { name: () => t('Share [[step]]'), text: () => t('Pick who can use it, and for how long') },
  { name: () => t('First session'), text: () => t('Someone presses Start and the split begins') },
];

/** The last step with an asset that isn't measured. */
const ACCEPTED = { name: () => t('Accepted'), text: () => t('From then on, you split the price') };

interface FirstStepsProps {
  /** Whether no one uses what the user owns, and nothing is shared with them. */
  isNew: boolean;
  /** In the order they were added, without archived ones. */
  assets: OwnedAsset[];
}

/** The way to the first split: add an asset, share it, wait for someone to use it. */
export function FirstSteps({ isNew, assets }: FirstStepsProps) {
  const [skipped, setSkipped] = useState(false);
  const [startedEmpty] = useState(assets.length === 0);
  // What was typed stays, whatever others do meanwhile.
  const [edited, setEdited] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const [addsPlain, setAddsPlain] = useState(false);
  const [outcome, setOutcome] = useState<FirstOutcome | null>(null);
  // What failed before says nothing about the next try.
  const forgetFailures = useCallback(() => setOutcome((made) => made && { ...made, failures: [] }), []);
  const dialog = useDialogAddress();
  const isHidden = dialogOf(dialog.search) !== null;
  const links = outcome?.links ?? [];
  const toAdd = assets.length === 0 || isAdding;
  // Someone's first session is good news, so that it shows as long as the page is open.
  const started = assets.find(hasUse);
  const shared = assets.findLast(({ shared_with: entries }) => entries.length > 0);
  const toShare = !toAdd && (edited || (!started && shared === undefined)) ? assets[0] : undefined;
  const done = toAdd ? 0 : toShare ? 1 : started ? 3 : 2;
  const isPlain = toAdd ? addsPlain : (toShare ?? started ?? shared)?.measured === false;
  const steps = isPlain ? [...STEPS.slice(0, -1), ACCEPTED] : STEPS;
  if (skipped || !(isNew || edited || isAdding || links.length > 0 || started)) return null;

  const finishAdding = (made: FirstOutcome) => {
    setOutcome(made);
    setAdding(false);
  };
  const skip = () => {
    setSkipped(true);
    keepFocusInPage();
  };
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-3.5 overflow-clip rounded-card border border-line bg-surface lg:grid lg:grid-cols-[296px_minmax(0,1fr)]"
    >
      <div className="border-line bg-canvas p-4 max-lg:border-b lg:border-e lg:p-6 lg:pe-5">
        <div className="flex items-center gap-3.5 lg:ms-1">
          <StepRing done={done} />
          <h2 id="first-steps" className="font-semibold">
            {t('Get started')}
          </h2>
        </div>
        <ol role="list" className="mt-4 grid gap-1 max-lg:grid-cols-3">
          {steps.map(({ name, text }, index) => (
            <Step key={index} number={index + 1} state={index < done ? 'done' : index === done ? 'current' : 'next'}>
              <span className="block text-[15px] font-semibold lg:leading-7">{name()}</span>
              <span className="block text-small leading-snug text-muted max-md:hidden">{text()}</span>
            </Step>
          ))}
        </ol>
      </div>
      <div className="min-w-0 p-4 lg:p-6 lg:px-7">
        {!toAdd && outcome && (
          <Suspense fallback={null}>
            {outcome.failures.map(({ name, text }) => (
              <Banner key={name} className="mb-4">
                <bdi className="block font-semibold">{name}</bdi>
                {text}
              </Banner>
            ))}
            <FirstLinks
              asset={outcome.asset}
              links={links}
              onDone={(done) => setOutcome({ ...outcome, links: links.filter((link) => link !== done) })}
            />
          </Suspense>
        )}
        {toAdd ? (
          <>
            <Heading text={t('What do you pay for?')} />
            <div className="min-h-160 sm:min-h-136">
              <Suspense fallback={null}>
                <FirstAsset hidden={isHidden} onEdited={setAdding} onPlain={setAddsPlain} onDone={finishAdding} />
              </Suspense>
            </div>
          </>
        ) : toShare ? (
          <>
            <div className="flex items-start justify-between gap-4">
              <Heading text={t('Who uses it with you?')}>
                {toShare.split_method !== 'usage' || toShare.base_percent > 0
                  ? splitSentence(toShare)
                  : assets.length > 1
                    ? t(
                        'Give each person a monthly allowance of your first asset. They only pay for the hours they use.',
                      )
                    : t('Give each person a monthly allowance. They only pay for the hours they use.')}
              </Heading>
              <Button look="plain" size="small" className="-my-1 -me-3 shrink-0" onClick={() => loseEdits(skip)}>
                {t('Skip for now')}
              </Button>
            </div>
            <div className="min-h-124 sm:min-h-84">
              <Suspense fallback={null}>
                <FirstShare
                  key={toShare.id}
                  asset={toShare}
                  hidden={isHidden}
                  focused={startedEmpty && assets.length === 1}
                  onEdited={setEdited}
                  onTry={forgetFailures}
                />
              </Suspense>
            </div>
          </>
        ) : started ? (
          <Heading text={startedText(started)} />
        ) : (
          shared && (
            <>
              <Heading text={waitingText(shared)}>{whereText(shared)}</Heading>
              <Button
                look="outline"
                size="small"
                icon={<UserRoundPlus aria-hidden size={16} />}
                onClick={() => {
                  forgetFailures();
                  dialog.open(assetDialog(shared.id, 'share'));
                }}
              >
                {t('Share with someone else')}
              </Button>
            </>
          )
        )}
      </div>
    </section>
  );
}

/** Names the first member, or if no one has accepted yet, the first who can. */
function waitingText(asset: OwnedAsset): string {
  const member = acceptedEntries(asset)[0]?.shared_with_username;
  if (typeof member === 'string') return t('{name} joined. Waiting for the first Start.', { name: member });
  const [name] = offeredNames(asset);
  if (name !== undefined) return t('Waiting for {name} to accept', { name });
  return asset.measured ? t('Waiting for the first session') : t('Waiting for someone to accept');
}

/** Says where those find it who can accept it, or have; empty while there are only links. */
function whereText(asset: OwnedAsset): string {
  if (acceptedEntries(asset).length + offeredNames(asset).length === 0) return '';
  return asset.measured
    ? t("They'll find it under Shared With Me. You'll see here who's using it.")
    : t("They'll find it under Shared With Me.");
}

/** Says who uses it now, or that someone has. */
function startedText(asset: OwnedAsset): string {
  const [user] = currentUsers(asset);
  if (user) return t('{name} on {asset}', { name: user.name, asset: asset.name });
  const member = acceptedEntries(asset)[0]?.shared_with_username;
  return typeof member === 'string' ? t('{name} joined.', { name: member }) : t('First session');
}

const Heading = ({ text, children }: { text: string; children?: string }) => (
  <div className="mb-4 min-w-0">
    <h2 className="font-display text-[21px] leading-tight font-bold [overflow-wrap:anywhere]">{text}</h2>
    {children && <p className="mt-1 text-muted [overflow-wrap:anywhere]">{children}</p>}
  </div>
);

interface StepProps {
  number: number;
  state: 'done' | 'current' | 'next';
  children: React.ReactNode;
}

const Step = ({ number, state, children }: StepProps) => (
  <li
    aria-current={state === 'current' ? 'step' : undefined}
    className={classes(
      'grid items-start gap-x-3 gap-y-1 rounded-control border p-2.5 md:grid-cols-[28px_minmax(0,1fr)] lg:p-3',
      state === 'current' ? 'border-line-strong bg-surface' : 'border-transparent',
    )}
  >
    <span
      className={classes(
        'figures flex size-7 items-center justify-center rounded-full border text-small font-semibold',
        state === 'done'
          ? 'border-accent bg-accent text-accent-ink'
          : state === 'current'
            ? 'border-2 border-accent bg-surface text-accent-text'
            : 'border-line-field bg-surface text-muted',
      )}
    >
      {state === 'done' ? (
        <>
          <Check aria-hidden size={16} />
          <span className="sr-only">{t('Done [[step]]')}</span>
        </>
      ) : (
        formatNumber(number)
      )}
    </span>
    <span className="min-w-0">{children}</span>
  </li>
);

const RADIUS = 25;
const TURN = 2 * Math.PI * RADIUS;
const GAP = 5.5;

/** A ring of three arcs, one for each step. */
const StepRing = ({ done }: { done: number }) => (
  <div className="relative shrink-0">
    <svg aria-hidden width="60" height="60" viewBox="0 0 60 60" fill="none" className="block rtl:-scale-x-100">
      {STEPS.map((_, index) => {
        const arc = {
          cx: 30,
          cy: 30,
          r: RADIUS,
          strokeDasharray: `${TURN / STEPS.length - GAP} ${TURN}`,
          strokeDashoffset: -GAP / 2,
          transform: `rotate(${(index / STEPS.length) * 360 - 90} 30 30)`,
        };
        // The edge of the rest has a contrast of 3:1; its fill alone doesn't.
        return index < done ? (
          <circle key={index} {...arc} stroke="var(--accent)" strokeWidth="8" />
        ) : (
          <g key={index}>
            <circle {...arc} stroke="var(--line-field)" strokeWidth="8" />
            <circle {...arc} stroke="var(--calm)" strokeWidth="6" />
          </g>
        );
      })}
    </svg>
    <p className="figures absolute inset-0 flex items-center justify-center font-display text-[17px] font-bold">
      <span aria-hidden>{`${formatNumber(done)}/${formatNumber(STEPS.length)}`}</span>
      <span className="sr-only">
        {t('{done, number} of {total, number} steps done', { done, total: STEPS.length })}
      </span>
    </p>
  </div>
);
