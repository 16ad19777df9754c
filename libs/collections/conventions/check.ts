/** One rule for one operation. `run` throws when the service breaks it. */
export interface Check {
  readonly name: string;
  run(): Promise<void>;
}
