import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { TOOLS_BUCKET } from '@lyceum/contracts';
import type { ToolCatalogue } from '@lyceum/contracts';
import { KeyValue, Nats } from '@lyceum/messaging';

const RETRY_MS = 2_000;

/** Keeps the catalogue of this service in the bucket `tools`, under the name of the service. */
@Injectable()
export class ToolsCatalogue implements BeforeApplicationShutdown {
  readonly #logger = new Logger(ToolsCatalogue.name);
  readonly #keyValue: KeyValue;
  readonly #nats: Nats;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #told = false;

  constructor(keyValue: KeyValue, nats: Nats) {
    this.#keyValue = keyValue;
    this.#nats = nats;
    keyValue.own(TOOLS_BUCKET);
  }

  /** Writes it now or as soon as NATS is there, and again after every reconnect: the server may have lost its disk. */
  publish(catalogue: ToolCatalogue): void {
    this.#nats.onConnect(() => void this.#put(catalogue));
    if (this.#nats.connected) void this.#put(catalogue);
  }

  beforeApplicationShutdown(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #put(catalogue: ToolCatalogue): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#keyValue.put(TOOLS_BUCKET, catalogue.service, catalogue);
      this.#told = false;
    } catch (error) {
      if (this.#stopped) return;
      if (!this.#told) this.#logger.warn({ msg: 'the tool catalogue could not be written; trying again', err: error });
      this.#told = true;
      this.#timer = setTimeout(() => void this.#put(catalogue), RETRY_MS);
    }
  }
}
