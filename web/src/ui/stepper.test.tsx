import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { Stepper } from './stepper.tsx';

afterEach(cleanup);

describe('a stepper', () => {
  it('has buttons for one less and one more, within its limits, as if the number had been typed', () => {
    const typed: string[] = [];
    const { container } = render(<Stepper label="Hours" min={0} max={2} defaultValue={1} />);
    const input = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Hours' });
    container.addEventListener('input', () => typed.push(input.value));
    const [less, more] = screen.getAllByRole('button', { hidden: true });
    for (const button of [more, more, less, less, less]) if (button) fireEvent.click(button);
    expect(typed).toEqual(['2', '2', '1', '0', '0']);
  });

  it('leaves the keyboard one stop, whose arrow keys do the same', () => {
    render(<Stepper label="Hours" />);
    expect(screen.queryAllByRole('button')).toEqual([]);
    const buttons = screen.getAllByRole<HTMLButtonElement>('button', { hidden: true });
    expect(buttons.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1]);
  });

  it('keeps the focus when its buttons are pressed', async () => {
    render(<Stepper label="Hours" defaultValue={1} />);
    const input = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Hours' });
    input.focus();
    for (const button of screen.getAllByRole('button', { hidden: true })) {
      await userEvent.click(button);
      expect(document.activeElement).toBe(input);
    }
  });
});
