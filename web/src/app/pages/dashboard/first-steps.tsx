import type { OwnedAsset } from '@hourshare/contract/assets';
import { Check, Plus, UserRoundPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { acceptedEntries, offeredNames } from '../../../features/assets/rules.ts';
import { splitSentence } from '../../../features/periods/terms-text.ts';
import { keepFocusInPage } from '../../../ui/focus.ts';
import { formatNumber } from '../../../platform/format/numbers.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { addAssetDialog, assetDialog } from '../../../platform/paths.ts';
import { loseEdits } from '../../../platform/forms/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/class-names.ts';
import { dialogOf, useDialogAddress } from '../../dialog-address.ts';

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
  const dialog = useDialogAddress();
  const shared = assets.findLast(({ shared_with: entries }) => entries.length > 0);
  const toShare = shared === undefined || edited ? assets[0] : undefined;
  const done = toShare ? 1 : shared ? 2 : 0;
  const isPlain = (toShare ?? shared)?.measured === false;
  const steps = isPlain ? [...STEPS.slice(0, -1), ACCEPTED] : STEPS;
  if (skipped || !(isNew || edited)) return null;

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
        {toShare ? (
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
                  hidden={dialogOf(dialog.search) !== null}
                  focused={startedEmpty && assets.length === 1}
                  onEdited={setEdited}
                />
              </Suspense>
            </div>
          </>
        ) : shared ? (
          <>
            <Heading text={waitingText(shared)}>
              {isPlain
                ? t("They'll find it under Shared With Me.")
                : t("They'll find it under Shared With Me. You'll see here who's using it.")}
            </Heading>
            <Button
              look="outline"
              size="small"
              icon={<UserRoundPlus aria-hidden size={16} />}
              onClick={() => dialog.open(assetDialog(shared.id, 'share'))}
            >
              {t('Share with someone else')}
            </Button>
          </>
        ) : (
          <>
            <Heading text={t('What do you pay for?')}>
              {t('Pick one to start with. You can add the rest later.')}
            </Heading>
            <Button icon={<Plus aria-hidden size={18} />} onClick={() => dialog.open(addAssetDialog)}>
              {t('Add Your First Asset')}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

/** Names the first member, or if no one has accepted yet, the first who can. */
function waitingText(asset: OwnedAsset): string {
  const member = acceptedEntries(asset)[0]?.shared_with_username;
  if (typeof member === 'string') return t("Waiting for {name}'s first session", { name: member });
  const [name] = offeredNames(asset);
  if (name !== undefined) return t('Waiting for {name} to accept', { name });
  return asset.measured ? t('Waiting for the first session') : t('Waiting for someone to accept');
}

const Heading = ({ text, children }: { text: string; children: string }) => (
  <div className="mb-4 min-w-0">
    <h2 className="font-display text-[21px] leading-tight font-bold [overflow-wrap:anywhere]">{text}</h2>
    <p className="mt-1 text-muted [overflow-wrap:anywhere]">{children}</p>
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
