import { formatTraceparent, parseTrace } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('parseTrace', () => {
  it('reads a traceparent and keeps the tracestate as it is', () => {
    const trace = parseTrace(`00-${TRACE}-${SPAN}-01`, 'a=1,b=2');
    expect(trace).toEqual({ traceId: TRACE, spanId: SPAN, flags: 1, state: 'a=1,b=2' });
  });

  it('reads a higher version by the fields that it knows', () => {
    expect(parseTrace(`cc-${TRACE}-${SPAN}-00-later`, undefined)).toMatchObject({ traceId: TRACE, flags: 0 });
  });

  it.each([
    ['nothing', undefined],
    ['two headers', [`00-${TRACE}-${SPAN}-01`]],
    ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
  ])('ignores %s', (_case, header) => {
    expect(parseTrace(header, undefined)).toBeUndefined();
  });

  it('drops a tracestate of more than 512 characters and keeps the trace', () => {
    const parent = `00-${TRACE}-${SPAN}-01`;
    expect(parseTrace(parent, 'x'.repeat(512))?.state).toHaveLength(512);
    expect(parseTrace(parent, 'x'.repeat(513))).toMatchObject({ traceId: TRACE, state: undefined });
  });
});

describe('formatTraceparent', () => {
  it('writes what it read', () => {
    const header = `00-${TRACE}-${SPAN}-01`;
    expect(formatTraceparent(parseTrace(header, undefined)!)).toBe(header);
  });

  it('writes no flag but "sampled"', () => {
    const trace = { traceId: TRACE, spanId: SPAN, flags: 0xfe, state: undefined };
    expect(formatTraceparent(trace)).toBe(`00-${TRACE}-${SPAN}-00`);
  });
});
