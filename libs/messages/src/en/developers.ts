/** The pages for developers. The reference itself, the names of operations and their descriptions are in English. */
export const developers = {
  'reference.lead': 'The operator API is at {url}. The full reference needs JavaScript.',
  'reference.operations': 'All operations on one page',
  'reference.operations_item': '{link}, without JavaScript',
  'reference.openapi_item': '{link}, for code generators',
  'reference.errors': 'Errors',
  'reference.explorer_item': '{link}, for the member API',
  'explorer.lead': 'The explorer needs JavaScript. The member API is at {url}, and its schema at {schema}.',
  'try.label': 'Sign-in',
  'try.scopes': 'Scopes',
  'try.about': 'About the sign-in',
  'try.get_client': 'How to get a client_id',
  'try.permission':
    'You are asked for your permission each time. The token stays in the memory of this page until you reload it or sign out.',
  'try.added': 'An owner or admin of this site has added an application for this page.',
  'try.missing': 'This site has no application for this page yet. An owner or admin can {link} with one click.',
  'try.missing_off':
    'This site has no application for this page yet. An owner or admin can {link} with one click, once “MCP connections” is on.',
  'try.add': 'add it',
  'try.own_member': 'Or enter the client_id of a public application for members that has the redirect URI {uri}.',
  'try.own_operator': 'Or enter the client_id of a public application for operators that has the redirect URI {uri}.',
  'try.signed_in': 'You are signed in until you reload this page.',
  'try.not_started': 'This sign-in was not started here. Try again.',
  'guides.errors': 'All error codes',
  'guides.errors_text': 'The meaning of each code, and what to do.',
  'guides.recipes': 'Client recipes',
  'guides.recipes_text': 'Each recipe is code that the tests of the platform run with the released package.',
  'guides.for_agents': 'For agents: {link}',
  'guides.markdown': 'this page as Markdown',
  'guides.same_address':
    'For programs and agents: this address responds with Markdown to every request that does not ask for HTML.',
  'page_applications.title': 'Pages for developers',
  'page_applications.lead':
    'With an application, people sign in at these pages and call the APIs with their own permissions. They are asked each time, and the token stays in the memory of the page.',
  'page_applications.add': 'Add {name}',
  'page_applications.added': 'Added',
} as const;
