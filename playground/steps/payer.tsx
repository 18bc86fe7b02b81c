import { useSignal } from '@preact/signals'
import { hasBrowserWallet } from '../keys/browser-wallet.ts'
import { Choice } from '../parts/choice.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import type { Problem } from '../problem.ts'
import { problemOf } from '../service.ts'
import {
  chooseBrowserWallet,
  chooseThrowAwayKey,
  isBrowserWallet,
  originFamily,
  payer
} from '../state/wallet.ts'

type Kind = 'throw-away' | 'browser'

/** Whose tokens are transferred, and who signs. */
export function Payer() {
  const problem = useSignal<Problem | undefined>(undefined)
  const choose = async (kind: Kind) => {
    problem.value = undefined
    if (kind === 'throw-away') return chooseThrowAwayKey()
    await chooseBrowserWallet().catch((error: unknown) => {
      problem.value = problemOf(error)
    })
  }
  return (
    <div>
      <Choice<Kind>
        legend="Paying wallet"
        name="wallet"
        value={isBrowserWallet.value ? 'browser' : 'throw-away'}
        options={[
          { value: 'throw-away', label: 'Throw-away key' },
          {
            value: 'browser',
            label: 'Browser wallet',
            disabled: !hasBrowserWallet || originFamily.value !== 'EVM'
          }
        ]}
        onChoose={choose}
      />
      <p class="hint">
        <code class="address">{payer.value.address}</code>
        <br />
        {isBrowserWallet.value
          ? 'The account that your wallet shows to this page.'
          : 'Made by this page and kept in its memory only. It holds nothing, and is gone when you close the page.'}
        {!hasBrowserWallet && ' This browser has no wallet.'}
      </p>
      {problem.value !== undefined && <ProblemView problem={problem.value} />}
    </div>
  )
}
