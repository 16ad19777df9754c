import type { CallerContext } from '#src/calls/caller.context.js';

/** The caller, in the form in which the SDK hands authentication to the server of a message (`AuthInfo`). */
export class CallerAuth {
  /** The token stays in the gate. */
  readonly token = '';
  readonly clientId: string;
  readonly scopes: string[];

  constructor(readonly caller: CallerContext) {
    this.clientId = caller.principal?.client_id ?? '';
    this.scopes = [...(caller.principal?.scopes ?? [])];
  }
}
