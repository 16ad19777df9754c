/**
 * Computes facts about the Nx workspace from one project graph: `node nx-facts.ts '{"affected":[…],"inputs":[…]}'`.
 * Each start of the Nx command makes the graph again, which takes seconds.
 */
import { readNxJson } from 'nx/src/config/nx-json';
import { getTaskRawInputs } from 'nx/src/hasher/check-task-files';
import { filterAffected } from 'nx/src/project-graph/affected/affected-project-graph';
import { calculateFileChanges } from 'nx/src/project-graph/file-utils';
import { createProjectGraphAsync } from 'nx/src/project-graph/project-graph';
import { createTaskGraph } from 'nx/src/tasks-runner/create-task-graph';

/** The arguments of the program. */
export interface Questions {
  /** Files of the repository. */
  readonly affected: readonly string[];
  /** Tasks: `<project>:<target>`. */
  readonly inputs: readonly string[];
}

/** The output of the program. */
export interface Facts {
  /** The projects and packages that each project uses. */
  readonly dependencies: Readonly<Record<string, readonly { readonly target: string }[]>>;
  readonly tasks: {
    readonly dependencies: Readonly<Record<string, readonly string[]>>;
    readonly tasks: Readonly<Record<string, { readonly cache?: boolean }>>;
  };
  /** By file: the projects whose suites the file can break. */
  readonly affected: Readonly<Record<string, readonly string[]>>;
  /** By task: all that its result depends on. */
  readonly inputs: Readonly<Record<string, Inputs>>;
}

interface Inputs {
  readonly files: readonly string[];
  readonly environment: readonly string[];
  readonly runtime: readonly string[];
  readonly external: readonly string[];
}

const TARGETS = ['test', 'build', 'documents', 'bundle', 'lint', 'typecheck'];
const { affected, inputs } = JSON.parse(process.argv[2] ?? '') as Questions;

const projectGraph = await createProjectGraphAsync();
const nxJson = readNxJson();
const names = Object.keys(projectGraph.nodes);
const { tasks, dependencies } = createTaskGraph(projectGraph, {}, names, TARGETS, undefined, {});

async function affectedBy(file: string): Promise<string[]> {
  const { nodes } = await filterAffected(projectGraph, calculateFileChanges([file], { files: [file] }));
  return Object.values(nodes)
    .filter(({ data }) => data.targets?.['test'] !== undefined)
    .map(({ name }) => name);
}

async function inputsOf(task: string): Promise<Inputs> {
  const found = await getTaskRawInputs(task, { projectGraph, nxJson });
  if (found === null) throw new Error(`Nx has no task ${task}`);
  return found;
}

async function each<Fact>(questions: readonly string[], find: (question: string) => Promise<Fact>) {
  const found = await Promise.all(questions.map(async (question) => [question, await find(question)] as const));
  return Object.fromEntries(found);
}

const facts: Facts = {
  dependencies: projectGraph.dependencies,
  tasks: { tasks, dependencies },
  affected: await each(affected, affectedBy),
  inputs: await each(inputs, inputsOf),
};
process.stdout.write(JSON.stringify(facts));
