// A test that asserts nothing cannot fail: a loop over an empty list, or a condition that is never true.
beforeEach(() => {
  expect.hasAssertions();
});
