import { promptDescriptionSchema } from '@lyceum/contracts';
import type { PromptDescription } from '@lyceum/contracts';
import type { z } from 'zod';
import { ToolDeclarationError, describeCapability, finishEntry } from './capability-description.js';
import type { PromptDeclaration } from './prompt.decorator.js';
import { checked } from './resource-description.js';

export function describePrompt(declaration: PromptDeclaration, completes: readonly string[]): PromptDescription {
  const { name, input } = declaration;
  const described = Object.entries(input.shape).map(([argument, schema]) => {
    const { description } = schema as z.ZodType;
    if (description === undefined) {
      throw new ToolDeclarationError('prompt', name, `its argument "${argument}" needs a description`);
    }
    return { name: argument, description, required: !(schema as z.ZodType).safeParse(undefined).success };
  });
  return finishEntry('prompt', name, promptDescriptionSchema, {
    ...describeCapability('prompt', declaration),
    arguments: described,
    completes: checked('prompt', name, completes, Object.keys(input.shape)),
  });
}
