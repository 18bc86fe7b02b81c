import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { Lab } from '../lab.ts'
import { startChild } from '../processes/child.ts'
import { script } from '../processes/script.ts'
import type { Serving } from '../processes/server.ts'
import type { Answer } from './answers.ts'

/** A server that readers ask. */
export type Subject = Pick<Serving, 'url' | 'usage'>

/** Starts a process of this folder, which reports its URL. It ends with the benchmark. */
export async function startSubject(lab: Lab, name: string, ...args: string[]): Promise<Subject> {
  const { directory, nodeArgs, teardown } = lab
  const child = startChild({
    args: [...nodeArgs, script(`bench/reads/${name}-process`), ...args],
    env: {},
    cwd: directory,
    logPath: join(directory, `${name}.log`)
  })
  teardown(child.stop)
  const { url } = await child.next('listening', Type.Object({ url: Type.String() }))
  return { url, usage: child.usage }
}

/** The servers that send what ours sends: a bare Fastify, and one that logs. */
export async function startBare(lab: Lab, answers: readonly Answer[]) {
  const file = join(lab.directory, 'answers.json')
  await writeFile(file, JSON.stringify(answers))
  return {
    file,
    bare: await startSubject(lab, 'bare', file),
    logging: await startSubject(lab, 'bare', file, 'log')
  }
}
