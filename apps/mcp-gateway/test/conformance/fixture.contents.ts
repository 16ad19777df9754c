import { Injectable } from '@nestjs/common';
import type { CompletionInput, CompletionOutput, PromptOutput } from '@lyceum/contracts';
import { Completion, InputNeeded, Prompt, Resource } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { z } from 'zod';
import { OPEN, PNG } from './fixture.media.js';
import { form, textOf } from './fixture.questions.js';

type Message = PromptOutput['messages'][number];

const fixture = (name: string) =>
  ({ ...OPEN, name, title: name, description: 'A fixture of the conformance suite.', input: z.object({}) }) as const;

const user = (content: Message['content']): Message => ({ role: 'user', content });
const userText = (text: string): Message => user({ type: 'text', text });

const two = z.object({ arg1: z.string().describe('The first'), arg2: z.string().describe('The second') });
const embedded = z.object({ resourceUri: z.string().describe('URI of the resource to embed') });
const template = z.object({ id: z.string() });

/** Resources and prompts of the conformance scenarios. */
@Injectable()
export class ConformanceContents {
  @Resource({ ...fixture('static_text'), uri: 'test://static-text', output: 'text', mimeType: 'text/plain' })
  staticText(): Promise<string> {
    return Promise.resolve('This is the content of the static text resource.');
  }

  @Resource({ ...fixture('static_binary'), uri: 'test://static-binary', output: 'blob', mimeType: 'image/png' })
  staticBinary(): Promise<string> {
    return Promise.resolve(PNG);
  }

  @Resource({
    ...fixture('template'),
    uri: 'test://template/{id}/data',
    input: template,
    output: z.object({ id: z.string(), templateTest: z.boolean(), data: z.string() }),
  })
  template({ input: { id } }: ToolCall<z.infer<typeof template>>): Promise<object> {
    return Promise.resolve({ id, templateTest: true, data: `Data for ID: ${id}` });
  }

  @Prompt(fixture('test_simple_prompt'))
  simple(): Promise<PromptOutput> {
    return Promise.resolve({ messages: [userText('This is a simple prompt for testing.')] });
  }

  @Prompt({ ...fixture('test_prompt_with_arguments'), input: two })
  withArguments({ input: { arg1, arg2 } }: ToolCall<z.infer<typeof two>>): Promise<PromptOutput> {
    return Promise.resolve({ messages: [userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] });
  }

  @Completion({ of: 'test_prompt_with_arguments', argument: 'arg1' })
  complete({ input: { value } }: ToolCall<CompletionInput>): Promise<CompletionOutput> {
    const values = ['paris', 'park', 'party', 'test'].filter((word) => word.startsWith(value));
    return Promise.resolve({ values, has_more: false });
  }

  @Prompt({ ...fixture('test_prompt_with_embedded_resource'), input: embedded })
  withResource({ input: { resourceUri } }: ToolCall<z.infer<typeof embedded>>): Promise<PromptOutput> {
    const text = 'Embedded resource content for testing.';
    const resource = { uri: resourceUri, mimeType: 'text/plain', text };
    const messages = [user({ type: 'resource', resource }), userText('Please process the embedded resource above.')];
    return Promise.resolve({ messages });
  }

  @Prompt(fixture('test_prompt_with_image'))
  withImage(): Promise<PromptOutput> {
    const image = user({ type: 'image', data: PNG, mimeType: 'image/png' });
    return Promise.resolve({ messages: [image, userText('Please analyze the image above.')] });
  }

  @Prompt(fixture('test_input_required_result_prompt'))
  withQuestion({ client }: ToolCall<object>): Promise<PromptOutput | InputNeeded> {
    const context = textOf(client, 'user_context', 'context');
    return Promise.resolve(
      context === undefined
        ? new InputNeeded({ user_context: form('What context should the prompt use?', 'context') })
        : { messages: [userText(`Use the context: ${context}`)] },
    );
  }
}
