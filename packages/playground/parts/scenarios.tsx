import { isLocked } from '../state/submission.ts'
import { choose, isChosen, isOffered, scenarios } from '../state/transfer.ts'

/** Renders buttons that fill in the form for a kind of transfer. */
export function Scenarios() {
  return (
    <fieldset class="scenarios" disabled={isLocked.value}>
      <legend class="visually-hidden">Start from</legend>
      {scenarios.map(scenario => (
        <button
          key={scenario.name}
          type="button"
          disabled={!isOffered(scenario)}
          aria-pressed={isChosen(scenario)}
          onClick={() => choose(scenario)}
        >
          {scenario.name}
        </button>
      ))}
    </fieldset>
  )
}
