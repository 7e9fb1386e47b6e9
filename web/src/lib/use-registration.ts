import type { AnswerOf } from '@hourshare/contract/endpoints';
import { useEffect, useState } from 'react';

type Registration = AnswerOf<'GET /api/about/'>['registration'];

let known: Registration = 'open';
let asked: Promise<Registration> | undefined;

/** Asks once for everyone who wants to know now. Loads the code that calls the server only then, for the landing page. */
async function ask(): Promise<Registration> {
  try {
    const { call } = await import('./http.ts');
    known = (await call('GET /api/about/', {})).registration;
  } catch {
    // Whoever tries to register is told.
  } finally {
    asked = undefined;
  }
  return known;
}

/** Returns who may create an account on this server; until it has told, anyone. */
export function useRegistration(): Registration {
  const [registration, setRegistration] = useState(known);
  useEffect(() => {
    asked ??= ask();
    void asked.then(setRegistration);
  }, []);
  return registration;
}
