import type { Network } from './network.ts'

/** Notes an answer under the name of the step that gave it. Each step is noted once. */
export type Note = (step: string, answer: unknown) => void

/** Something that a client does, in the same way on both networks. */
export interface Conversation {
  readonly name: string
  /** The SDK release that it needs; both by default. */
  readonly sdk?: Network['sdk']
  play(network: Network, note: Note): Promise<void>
}

/** The answers of a conversation by step. */
export type Recording = ReadonlyMap<string, unknown>

/** @throws Error when two steps have one name */
export async function play(conversation: Conversation, network: Network): Promise<Recording> {
  const answers = new Map<string, unknown>()
  await conversation.play(network, (step, answer) => {
    if (answers.has(step)) throw new Error(`${conversation.name} has the step ${step} twice`)
    answers.set(step, answer)
  })
  return answers
}

const ATTEMPTS = 20

/**
 * Reads several answers that belong to one height: repeats `read` until no block was made meanwhile. The notes of an
 * attempt count only when it succeeds.
 */
export async function atOneHeight(
  network: Network,
  note: Note,
  read: (note: Note, height: number) => Promise<void>
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const height = await network.nextBlock()
    const notes: [string, unknown][] = []
    await read((step, answer) => notes.push([step, answer]), height)
    if ((await network.height()) !== height) continue
    for (const [step, answer] of notes) note(step, answer)
    return
  }
  throw new Error('a block was made during every attempt to read at one height')
}
