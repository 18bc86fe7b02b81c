import { tokens } from '../code/amount.ts'
import { chosenSide, type FeeSide, quote, wantedSide } from '../state/quote.ts'
import { isLocked } from '../state/submission.ts'
import { isSwap, transfer } from '../state/transfer.ts'

const options: readonly { side: FeeSide; label: string; text: string }[] = [
  { side: 'feeFromOrigin', label: 'Fee at origin', text: 'The fees are added to the amount.' },
  { side: 'feeFromTarget', label: 'Fee at target', text: 'The fees are deducted from the amount.' }
]

/** Renders the two fee options (interface 5.12). Swaps have only the first. */
export function FeeOptions() {
  const { swap } = quote.value ?? {}
  return (
    <fieldset class="fee-options" disabled={quote.value === undefined || isLocked.value}>
      <legend>Who pays the fees</legend>
      {options.slice(0, isSwap.value ? 1 : 2).map(({ side, label, text }) => {
        const values = quote.value?.[side]
        const arriving = swap?.amountOut ?? values?.submitAmount
        return (
          <label class="fee-option" key={side}>
            <span class="fee-option-name">
              <input
                type="radio"
                name="fee-side"
                aria-labelledby={`${side}-name`}
                aria-describedby={`${side}-values`}
                checked={chosenSide.value === side}
                onChange={() => {
                  wantedSide.value = side
                }}
              />
              <span id={`${side}-name`}>{label}</span>
            </span>
            <span class="fee-option-values" id={`${side}-values`}>
              <span class="hint">{text}</span>
              <span class="muted">You pay</span>
              <b>{values ? tokens(values.allowanceAmount, transfer.originSymbol.value) : '—'}</b>
              <span class="muted">Arrives</span>
              <b>{values && arriving ? tokens(arriving, transfer.targetSymbol.value) : '—'}</b>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
