/** Where a request came from. */
export interface Client {
  /** Its User-Agent. */
  device: string;
  /** The network that rate limits and the log use. */
  network: string;
  /** The request's id in the log. */
  requestId: string;
  /** The handle of the sign-in that made it, if any. */
  signIn?: string | undefined;
}
