import { useSignal } from '@preact/signals'
import { type BrowserWallet, browserWallets } from '../keys/browser-wallet.ts'
import { Choice } from '../parts/choice.tsx'
import { LeavingButton } from '../parts/leaving-button.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import type { Problem } from '../problem.ts'
import { problemOf } from '../service.ts'
import {
  askedWallet,
  chooseBrowserWallet,
  chooseThrowAwayKey,
  chosenWallet,
  originFamily,
  payer,
  stopAsking
} from '../state/wallet.ts'

const THROW_AWAY = 'throw-away'

/** Lets the user select the wallet that pays and signs. */
export function Payer() {
  const problem = useSignal<Problem | undefined>(undefined)
  const chosen = askedWallet.value ?? chosenWallet.value
  const wallets = withChosen(browserWallets.value, chosen)
  const disabled = originFamily.value !== 'EVM'
  const choose = async (id: string) => {
    problem.value = undefined
    const wallet = wallets.find(wallet => wallet.id === id)
    if (wallet === undefined) return chooseThrowAwayKey()
    await chooseBrowserWallet(wallet).catch((error: unknown) => {
      problem.value = problemOf(error)
    })
  }
  return (
    <div>
      <Choice
        legend="Paying wallet"
        name="wallet"
        value={chosen?.id ?? THROW_AWAY}
        options={[
          { value: THROW_AWAY, label: 'Throw-away key' },
          ...wallets.map(({ id, name }) => ({ value: id, label: name, disabled })),
          ...(wallets.length === 0 ? [{ value: 'none', label: 'Browser wallet', disabled: true }] : [])
        ]}
        onChoose={choose}
      />
      <p class="hint payer">
        <code class="address">{payer.value.address}</code>
        <br />
        <span role="status">{askedWallet.value ? `Waiting for ${askedWallet.value.name}.` : ''}</span>{' '}
        {askedWallet.value === undefined ? (
          about(wallets.length > 0)
        ) : (
          <LeavingButton onClick={stopAsking}>Cancel</LeavingButton>
        )}
      </p>
      {problem.value !== undefined && <ProblemView problem={problem.value} />}
    </div>
  )
}

/**
 * Adds the chosen wallet to the list if it is missing: wallets announced later replace the injected wallet in the list.
 */
function withChosen(listed: readonly BrowserWallet[], chosen: BrowserWallet | undefined) {
  return chosen === undefined || listed.some(({ id }) => id === chosen.id) ? listed : [...listed, chosen]
}

function about(hasWallet: boolean): string {
  if (chosenWallet.value !== undefined) return 'The account that your wallet shares with this page.'
  const text =
    'Created by this page and kept only in its memory. It has no funds and is lost when you close the page.'
  return hasWallet ? text : `${text} This browser has no wallet.`
}
