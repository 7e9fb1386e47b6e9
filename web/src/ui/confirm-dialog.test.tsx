import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { ConfirmDialog } from './confirm-dialog.tsx';

afterEach(cleanup);

function Page() {
  const [state, setState] = useState<'there' | 'asked' | 'gone'>('there');
  return (
    <main>
      <h1>Films</h1>
      {state !== 'gone' && (
        <button type="button" onClick={() => setState('asked')}>
          Remove
        </button>
      )}
      {state === 'asked' && (
        <ConfirmDialog
          title="Remove it?"
          confirm="Yes"
          onConfirm={() => setState('gone')}
          onCancel={() => setState('there')}
        >
          For good.
        </ConfirmDialog>
      )}
    </main>
  );
}

it('the focus returns to what asked, or to the page if that has been removed', async () => {
  const user = userEvent.setup();
  render(<Page />);
  const remove = screen.getByRole('button', { name: 'Remove' });
  await user.click(remove);
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(document.activeElement).toBe(remove));
  await user.click(remove);
  await user.click(await screen.findByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Films' })));
});

function Steps() {
  const [step, setStep] = useState(0);
  return (
    <ConfirmDialog
      title={`Question ${step + 1}`}
      confirm="Continue"
      step={step}
      onConfirm={() => setStep(step + 1)}
      onCancel={() => setStep(0)}
    >
      For good.
    </ConfirmDialog>
  );
}

it('each question starts with the focus on Cancel, so that a second Enter does no harm', async () => {
  const user = userEvent.setup();
  render(<Steps />);
  const cancel = await screen.findByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(document.activeElement).toBe(cancel));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('alertdialog', { name: 'Question 2' })).toBeTruthy();
  expect(document.activeElement).toBe(cancel);
});
