import { Injectable } from '@nestjs/common';
import { ToolDeclarationError } from './capability-description.js';
import { toolNameFault } from './tool-name.policy.js';
import type { ToolDeclaration } from './tool.decorator.js';

/** Keeps the names of the platform's tools to one scheme. A test whose names come from elsewhere replaces it. */
@Injectable()
export class ToolNames {
  /** Throws when the name breaks the scheme. */
  check(declaration: Pick<ToolDeclaration, 'name' | 'audience' | 'annotations'>): void {
    const fault = toolNameFault(declaration);
    if (fault !== undefined) throw new ToolDeclarationError('tool', declaration.name, fault);
  }
}
