import { ApiError } from '@lyceum/errors';
import { OpenStreams, STREAMS } from './open-streams.js';

const times = <T>(count: number, fn: (i: number) => T): T[] => Array.from({ length: count }, (_none, i) => fn(i));

describe('OpenStreams', () => {
  it('limits the streams of one caller until one is closed', () => {
    const streams = new OpenStreams();
    const closes = times(STREAMS.perCaller, () => streams.open('ada'));
    expect(() => streams.open('ada')).toThrow(ApiError);
    expect(() => streams.open('grace')).not.toThrow();
    closes[0]?.();
    closes[0]?.();
    expect(() => streams.open('ada')).not.toThrow();
    expect(() => streams.open('ada')).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfter: 60 }));
  });

  it('limits the streams of all callers until one is closed', () => {
    const streams = new OpenStreams();
    const closes = times(STREAMS.perReplica, (i) => streams.open(`caller ${i}`));
    expect(() => streams.open('one more')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    closes[7]?.();
    expect(() => streams.open('one more')).not.toThrow();
    expect(() => streams.open('two more')).toThrow(ApiError);
  });
});
