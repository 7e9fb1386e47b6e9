import type { AnswerOf } from '@hourshare/contract/endpoints';
import { useEffect, useState } from 'react';

type About = AnswerOf<'GET /api/about/'>;

let known: About | undefined;
let asked: Promise<About | undefined> | undefined;

/** Asks once for everyone who wants to know now. Plainly, because the landing page has no other call. */
async function ask(): Promise<About | undefined> {
  try {
    const response = await fetch('/api/about/', { headers: { accept: 'application/json' } });
    if (response.ok) known = await response.json();
  } catch {
    // Whoever tries to register is told.
  } finally {
    asked = undefined;
  }
  return known;
}

/** Returns what the server has said about itself so far. */
export const knownAbout = (): About | undefined => known;

/** Returns what the server says about itself; undefined until it has answered. */
export function useAbout(): About | undefined {
  const [about, setAbout] = useState(known);
  useEffect(() => {
    asked ??= ask();
    void asked.then(setAbout);
  }, []);
  return about;
}

/** Returns who may create an account on this server; anyone until it has answered. */
export const useRegistration = (): About['registration'] => useAbout()?.registration ?? 'open';
