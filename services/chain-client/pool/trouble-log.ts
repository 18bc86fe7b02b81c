import type { Logger } from '../../logger.ts'
import type { NodeState, Use } from './node-state.ts'

const USES: readonly Use[] = ['reading', 'sending']

/** @returns a function that logs which nodes are passed over since its last call, and which are used again */
export function createTroubleLog(states: readonly NodeState[], log: Logger | undefined) {
  const passedOver = new Set<string>()

  return (expectedChain: string | undefined): void => {
    for (const { name, trouble } of states) {
      for (const use of USES) {
        const key = `${use} ${name}`
        const present = trouble(use, expectedChain)
        if (present && !passedOver.has(key)) {
          passedOver.add(key)
          log?.warn({ node: name, use, reason: present.reason }, 'RPC node is passed over')
        } else if (!present && passedOver.delete(key)) {
          log?.info({ node: name, use }, 'RPC node is used again')
        }
      }
    }
  }
}
