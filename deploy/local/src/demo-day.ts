const DAY_MS = 86_400_000;

/**
 * The day of UTC on which a demo is made. The instants of the demo lie around it, so that the reports of the last days
 * and the lists of what comes next have content.
 */
export class DemoDay {
  readonly #midnight: number;

  constructor(date: Date | string) {
    this.#midnight = Math.floor(new Date(date).getTime() / DAY_MS) * DAY_MS;
  }

  static today(): DemoDay {
    return new DemoDay(new Date());
  }

  /** The date, from which the same day can be made again. */
  get date(): string {
    return new Date(this.#midnight).toISOString().slice(0, 10);
  }

  /** An instant of an earlier day, and so one that is over at any time of this day. `time`: `hh:mm` of UTC. */
  ago(days: number, time: string): string {
    if (days < 1) throw new Error(`An instant ${days} days ago may be in the future`);
    return this.#at(-days, time);
  }

  /** Returns an instant of a later day, which is in the future during this whole day. `time`: `hh:mm` of UTC. */
  ahead(days: number, time: string): string {
    if (days < 1) throw new Error(`An instant in ${days} days may be over`);
    return this.#at(days, time);
  }

  #at(days: number, time: string): string {
    const date = new Date(this.#midnight + days * DAY_MS).toISOString().slice(0, 10);
    return new Date(`${date}T${time}:00.000Z`).toISOString();
  }
}
