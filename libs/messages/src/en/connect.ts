/** The page of the tool endpoint that tells people how to connect an application. */
export const connect = {
  'connect.title': 'Connect',
  'connect.heading': 'Connect to {site}',
  'connect.lead':
    'Assistants and agents use this site through the Model Context Protocol (MCP). Give them this address:',
  'connect.registers':
    'The application registers itself, opens a browser for the sign-in when a tool needs one, and shows what it asks for. You can disconnect it in {account}.',
  'connect.account': 'your account',
  'connect.off':
    'MCP connections are off at this site, so applications get the tools that need no sign-in. An owner or admin can switch them on in the {admin}.',
  'connect.admin': 'admin area',
  'connect.local':
    'This address exists on this computer only. {one} and {other} connect from their own servers and cannot reach it; the other applications can.',
  'connect.claude': 'In Claude: open Settings, Connectors, choose “Add custom connector” and paste the address.',
  'connect.chatgpt_mode': 'Open Settings, Apps & Connectors, Advanced settings and switch on developer mode.',
  'connect.chatgpt_create': 'Choose “Create” in Apps & Connectors, paste the address and select OAuth.',
  'connect.add_to_file': 'Open the link, or add this to {file}:',
  'connect.add_to': 'Add to {name}',
  'connect.command_line': 'Command line',
  'connect.inspector':
    'Start it, select Streamable HTTP and paste the address. Without a browser, use the second command.',
  'connect.with_browser': 'With a browser',
  'connect.in_terminal': 'In a terminal',
  'connect.without_http': 'Applications without HTTP',
  'connect.remote': 'The package mcp-remote connects an application that can only start commands:',
  'connect.configuration': 'Configuration',
  'connect.tools': 'Tools',
  'connect.tools_text':
    '{open, plural, one {# tool needs} other {# tools need}} no sign-in. A member application adds {member, plural, one {# tool} other {# tools}} for the person who signs in. An operator application adds up to {operator, plural, one {# tool} other {# tools}}, by its scopes; beyond {most} an agent gets the most useful ones and searches for the others.',
  'connect.developers': 'For developers: {guides}, {authentication}, and {index} for agents.',
  'connect.guides': 'guides',
  'connect.authentication': 'authentication',
} as const;
