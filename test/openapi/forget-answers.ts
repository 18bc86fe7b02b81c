import { forgetAnswers } from './recorder.ts'

// Runs before all tests. Deletes the statuses recorded by earlier runs.
forgetAnswers()
