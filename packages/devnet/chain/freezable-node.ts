import type { Chain } from './chain.ts'
import type { ControlledChain } from './index.ts'
import type { LaggingNode } from './lagging-node.ts'

export type FreezableNode = ReturnType<typeof createFreezableNode>

/** Creates a node that can be disconnected: a lagging node that was frozen at that moment replaces it. */
export function createFreezableNode(chain: ControlledChain) {
  let frozen: LaggingNode | undefined

  const onBlock: Chain['onBlock'] = listener =>
    chain.onBlock(block => {
      if (frozen === undefined) listener(block)
    })

  function freeze(): void {
    frozen ??= chain.createLaggingNode(0)
    frozen.prune(chain.base)
    frozen.setFrozen(true)
  }

  function thaw(): void {
    frozen?.setFrozen(false)
    frozen?.stop()
    frozen = undefined
  }

  return {
    node: new Proxy<Chain>(chain, {
      get: (_, name) => (name === 'onBlock' ? onBlock : Reflect.get(frozen ?? chain, name))
    }),
    setFrozen: (wanted: boolean) => (wanted ? freeze() : thaw())
  }
}
