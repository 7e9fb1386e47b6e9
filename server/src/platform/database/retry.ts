import { isTransient } from './failure.ts';

const attempts = 5;

/**
 * Retries work that the database gave up in favor of another transaction (serialization failure, deadlock), five
 * attempts in all. A failed attempt was rolled back, so the work must touch nothing but the database.
 */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isTransient(error)) throw error;
    }
  }
}
