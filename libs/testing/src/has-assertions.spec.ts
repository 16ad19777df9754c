it('fails a test that asserts nothing', () => {
  expect(expect.getState()).toMatchObject({ isExpectingAssertions: true, assertionCalls: 0 });
});
