import { report, submitDespite } from '../state/faults.ts'

const faults: readonly [fault: string, label: string, text: string][] = [
  ['response', 'Lose the response', 'The page drops it, and the client sends the same body again.'],
  ['kill', 'Kill the leader', 'The server dies while the transaction is under way. The next one takes over.'],
  ['lie', 'Let the node lie', 'The node says that it has the transaction, and drops it.']
]

/** Renders the buttons that submit while something fails, on the development network only. */
export function Faults({ isDisabled }: { isDisabled: boolean }) {
  const { executed, faults: ofNetwork } = report.value
  if (ofNetwork.length === 0) return null
  const offered = ['response', ...ofNetwork]
  return (
    <fieldset class="faults note" disabled={isDisabled}>
      <legend class="visually-hidden">Submit, and make something fail</legend>
      <p>
        <b>Submit, and make something fail.</b> Counted in the blocks of the chain:{' '}
        <b role="status">executed: {executed ?? '—'}</b>
      </p>
      <ul>
        {faults
          .filter(([fault]) => offered.includes(fault))
          .map(([fault, label, text]) => (
            <li key={fault}>
              <button type="button" class="secondary" onClick={() => submitDespite(fault)}>
                {label}
              </button>
              <span>{text}</span>
            </li>
          ))}
      </ul>
    </fieldset>
  )
}
