import { Injectable } from '@nestjs/common';
import { ToolDeclarationError } from './capability-description.js';
import { toolNameFault } from './tool-name.policy.js';
import type { ToolDeclaration } from './tool.decorator.js';

/** Enforces the naming scheme of the platform's tools. Tests with other names replace it. */
@Injectable()
export class ToolNames {
  /** Throws when the name violates the scheme. */
  check(declaration: Pick<ToolDeclaration, 'name' | 'audience' | 'annotations'>): void {
    const fault = toolNameFault(declaration);
    if (fault !== undefined) throw new ToolDeclarationError('tool', declaration.name, fault);
  }
}
