import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { decrypt, encrypt } from '@lyceum/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthSettings } from '#src/auth.environment.js';
import { siteOf } from '#src/edge/edge.hook.js';
import { CsrfTokens } from '#src/pages/csrf-tokens.js';
import type { Shown } from '#src/pages/page.js';
import { sha256 } from '#src/secrets/digest.js';
import { ABANDONED, FormResponsesRepository } from './form-responses.repository.js';

/** Milliseconds. */
const INTERVAL = 25;

/** A form as a browser sent it. */
export interface Submission {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** All fields, with the token of the form, which only its page has. */
  readonly form: URLSearchParams;
  /** A secret of the browser, for a form without a password. */
  readonly browser?: string | undefined;
}

interface Response {
  readonly location: string;
  /** `Set-Cookie` lines: the response to the first submission may have reached no browser. */
  readonly cookies: readonly string[];
}

const context = (siteId: string): string => `form-response:${siteId}`;
/** It reveals no password: the token of the form is a MAC. */
const digestOf = ({ request, form, browser = '' }: Submission): Buffer =>
  sha256([request.url, browser, form.toString()].join('\n'));

/**
 * A double click sends a form twice, and the browser shows the second response. The first submission may end what the
 * form needs: its session, or the link of a mail. The second one waits for it and gets the same redirect and cookies.
 * It proves its browser by all fields of the form.
 */
@Injectable()
export class RepeatedForms {
  constructor(
    private readonly responses: FormResponsesRepository,
    private readonly settings: AuthSettings,
    private readonly csrfTokens: CsrfTokens,
  ) {}

  /**
   * Runs `work` for the first submission. Repetitions get its redirect. After a page, such as a refusal, the next
   * submission runs it again.
   */
  async once(submission: Submission, work: () => Promise<Shown>): Promise<Shown> {
    const { site_id } = siteOf(submission.request);
    const digest = digestOf(submission);
    while (!(await this.responses.begin(site_id, digest))) {
      const location = await this.#repeated(submission);
      if (location !== undefined) return location;
    }
    let shown: Shown | undefined;
    try {
      shown = await work();
    } finally {
      if (typeof shown !== 'string') await this.responses.release(site_id, digest);
    }
    if (typeof shown === 'string') await this.#keep(submission, shown);
    return shown;
  }

  /** The redirect after the first submission, with its cookies. Undefined for a form without one. */
  async find(submission: Submission): Promise<string | undefined> {
    const { request } = submission;
    return this.csrfTokens.isOfSite(siteOf(request), request) ? this.#repeated(submission) : undefined;
  }

  async #repeated(submission: Submission): Promise<string | undefined> {
    const { request, reply } = submission;
    const response = await this.#response(siteOf(request).site_id, digestOf(submission));
    if (response === undefined) return undefined;
    reply.raw.setHeader('set-cookie', [...response.cookies]);
    return response.location;
  }

  async #keep(submission: Submission, location: string): Promise<void> {
    const { site_id } = siteOf(submission.request);
    const cookies = [submission.reply.raw.getHeader('set-cookie') ?? []].flat().map(String);
    const text = JSON.stringify({ location, cookies } satisfies Response);
    const sealed = encrypt(this.settings.values.KEY_ENCRYPTION_KEY, context(site_id), text);
    await this.responses.save(site_id, digestOf(submission), sealed);
  }

  /** Waits while the first submission is processed. */
  async #response(siteId: string, digest: Buffer): Promise<Response | undefined> {
    const deadline = performance.now() + ABANDONED * 1000;
    for (;;) {
      const found = await this.responses.find(siteId, digest);
      if (found === undefined || performance.now() > deadline) return undefined;
      if (found.sealed_response !== null) {
        const text = decrypt(this.settings.values.KEY_ENCRYPTION_KEY, context(siteId), found.sealed_response);
        return JSON.parse(text) as Response;
      }
      await sleep(INTERVAL);
    }
  }
}
