export const limits = `
  -- Unlogged: nothing is lost with a minute's points, and their upserts then wait for no disk.
  create unlogged table rate_window (
    token_fingerprint text primary key,
    started_at timestamptz(3) not null,
    spent int not null
  ) with (fillfactor = 70);
  -- The sweep of windows that are long over.
  create index rate_window_started_at on rate_window (started_at);
`;
