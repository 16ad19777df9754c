export { Tool } from './tool.decorator.js';
export type { ArgumentScopes, ScopesByValue, ToolCall, ToolDeclaration } from './tool.decorator.js';
export { ToolDeclarationError } from './tool-description.js';
export { ToolsModule } from './tools.module.js';
