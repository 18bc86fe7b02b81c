import { type Test, test } from '../../helpers/tap.ts'
import { builds } from '../harness/builds.ts'
import { compare } from './compare/compare.ts'
import { type Conversation, play, type Recording } from './conversation.ts'
import { conversations } from './conversations/index.ts'
import { pruned } from './conversations/pruned.ts'
import { type Difference, knownDifferences } from './differences.ts'
import { type Networks, startNetworks, startPrunedNetworks } from './setup.ts'

for (const sdk of builds) {
  test(`SDK ${sdk}: the devnet answers as a node does`, async t => {
    const known = knownDifferences.filter(entry => entry.sdk === undefined || entry.sdk === sdk)
    const used = new Set<Difference>()
    const networks = await startNetworks(t, sdk)
    for (const conversation of conversations) {
      if (conversation.sdk === undefined || conversation.sdk === sdk) {
        await t.test(conversation.name, t => converse(t, networks, conversation, known, used))
      }
    }
    const prunedNetworks = await startPrunedNetworks(t, sdk)
    await t.test(pruned.name, t => converse(t, prunedNetworks, pruned, known, used))
    t.strictSame(
      known.filter(entry => !used.has(entry)).map(({ what }) => what),
      [],
      'every known difference still shows'
    )
  })
}

/** Plays a conversation to both networks and fails for differences that are not known. */
async function converse(
  t: Test,
  { devnet, node }: Networks,
  conversation: Conversation,
  known: readonly Difference[],
  used: Set<Difference>
): Promise<void> {
  const [ours, theirs] = await Promise.all([play(conversation, devnet), play(conversation, node)])
  const unknown = compare(ours, theirs, commonHashes(ours, theirs)).filter(difference => {
    const place = `${conversation.name}/${difference.path}`
    const entry = known.find(({ where }) => where.some(pattern => matches(pattern, place)))
    if (entry !== undefined) used.add(entry)
    return entry === undefined
  })
  t.strictSame(unknown, [], `${ours.size} answers`)
}

/** Hashes that both networks have are those of transactions, which are the same. */
function commonHashes(ours: Recording, theirs: Recording): ReadonlySet<string> {
  const [left, right] = [ours, theirs].map(recording => {
    const text = JSON.stringify([...recording.values()])
    return new Set(text.match(/\b[0-9A-F]{64}\b/g))
  })
  return new Set([...(left ?? [])].filter(hash => right?.has(hash)))
}

/** Whether a place fits a pattern, in which `*` stands for any text. */
function matches(pattern: string, place: string): boolean {
  const parts = pattern.split('*').map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(place)
}
