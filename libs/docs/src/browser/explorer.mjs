import { GraphiQL } from 'graphiql';
import { buildSchema } from 'graphql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import { keepExplorerAccessible } from './accessibility.mjs';
import './explorer.css';
import { SAVED_QUERIES } from './queries.mjs';
import { accessToken, startSignIn } from './sign-in.mjs';

async function fetcher(parameters, { headers = {} } = {}) {
  const token = accessToken();
  const response = await fetch('/member/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(parameters),
  });
  return response.json();
}

async function start() {
  await startSignIn();
  const schema = buildSchema(await (await fetch('/member/schema.graphql')).text(), { assumeValid: true });
  const defaultTabs = SAVED_QUERIES.map((query) => ({ query }));
  const explorer = createElement(GraphiQL, { fetcher, schema, defaultTabs, shouldPersistHeaders: false });
  const place = document.getElementById('explorer');
  keepExplorerAccessible(place);
  createRoot(place).render(explorer);
}

void start();
