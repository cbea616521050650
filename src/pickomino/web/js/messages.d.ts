// Written by tools/page_types.py from the server's shapes; docs/protocol.md describes them.

export interface About {
  version: string;
  editions: EditionInfo[];
  switches: string[];
  bots: string[];
  reactions: string[];
  limits: Record<string, any>;
}

export interface Advice {
  v: number;
  objective: string;
  position: string;
  moves: HintValue[];
  sentences: string[];
}

export interface AskInfo {
  seq: number;
  k: number;
  seats: string[];
  nonce: string | null;
}

export interface BalanceInfo {
  start: number;
  luck: number;
  errors: number;
  clock: number;
  gifts: number;
  estimate: number;
  result: number;
}

export interface BotTen {
  bot: string;
  cost: number;
}

export interface BustView {
  flipped: number | null;
  returned: number | null;
  specialist?: string | null;
  worms: number;
}

export interface Bye {
  t: "bye";
  d: ByeData;
}

export interface ByeData {
  code: string;
  retry_ms: number;
}

export interface ChainsInfo {
  guests: string[];
  tips: Record<string, TipInfo>;
  out: Record<string, number>;
  next: number;
  ask: AskInfo | null;
}

export interface ClaimView {
  from: string;
  move: string;
  specialist?: string | null;
  tile: number;
  worms: number;
}

export interface CoachWord {
  v: number;
  ask: boolean;
  sentence: string;
}

export interface DecisionShown {
  ply: number;
  turn: number;
  seat: string;
  played: string;
  best: string;
  charged: boolean;
  grade: "best" | "blunder" | "fine" | "inaccuracy" | "mistake";
  cost: number;
  moves: MoveShown[];
  view: View;
  kind?: "missed steal" | "rolled on" | "specialist" | "stopped early" | "wrong face" | "wrong steal" | "wrong tile" | null;
  title?: string;
  decided?: boolean;
  sentence?: string;
  afterword?: string;
}

export interface DrillInfo {
  drill: string;
  theme: "missed steal" | "rolled on" | "specialist" | "stopped early" | "wrong face" | "wrong steal" | "wrong tile";
  edition: string;
}

export interface DrillList {
  version: number;
  themes: ThemeInfo[];
  drills: DrillInfo[];
  texts: Record<string, string>;
}

export interface DrillView {
  drill: string;
  theme: "missed steal" | "rolled on" | "specialist" | "stopped early" | "wrong face" | "wrong steal" | "wrong tile";
  edition: string;
  names: string[];
  view: View;
}

export interface EditionInfo {
  key: string;
  tiles: number[];
  worms: number[];
  specialists: string[];
  takes_switches: boolean;
  switches: string[];
  name: string;
  dice: number;
  faces: Record<string, number>;
  sides: string;
  golden_die: string;
  exact_only: number[];
  round_worms: number;
  text: string;
}

export interface EntryInfo {
  seq: number;
  kind: "ask" | "back" | "dice" | "first" | "in" | "move" | "replaced" | "resign" | "timeout" | "tip" | "void";
  seat: string | null;
  move?: string | null;
  by?: "bot" | "clock" | "person" | null;
  dice?: string | null;
  k?: number | null;
  value?: string | null;
  nonce?: string | null;
  bot?: string | null;
  tip?: string | null;
  seats?: string[] | null;
  values?: Record<string, string> | null;
}

export interface EventFrame {
  event: EventInfo;
  view: View | null;
}

export interface EventInfo {
  count?: number;
  dice?: string;
  event: "busted" | "flipped" | "game_over" | "gold_used" | "got_round_worm" | "got_specialist" | "kept" | "returned" | "rolled" | "specialist_left" | "specialist_moved" | "stole" | "took" | "turn_started" | "weasel_used";
  face?: string;
  giver?: string | null;
  ranks?: number[];
  reason?: string;
  scores?: number[];
  seat?: string;
  specialist?: string;
  tile?: number;
  total?: number;
  victim?: string | null;
  winners?: string[];
}

export interface Failed {
  t: "error";
  id: string | null;
  code: string;
  message: string;
  v?: number;
  retry_ms?: number;
}

export interface GameList {
  games: Summary[];
  more: boolean;
}

export interface HintValue {
  move: string;
  value: number;
}

export interface Judged {
  grade: "best" | "blunder" | "fine" | "inaccuracy" | "mistake";
  cost: number;
  good: boolean;
  objective: string;
  played: string;
  best: string;
  sentence: string;
  moves: MoveShown[];
  card: Record<string, any>;
  days: number;
}

export interface KeepView {
  bust: boolean;
  claims: ClaimView[];
  count: number;
  face: string;
  has_worm: boolean;
  move: string;
  total: number;
}

export interface MoveShown {
  move: string;
  words: string;
  value: number;
  cost: number;
  grade: "best" | "blunder" | "fine" | "inaccuracy" | "mistake";
  ends: ([string, number])[];
}

export interface Ok {
  t: "ok";
  id: string;
  v?: number | null;
  d?: any;
}

export interface PlayerInfo {
  seat: string;
  name: string;
  bot: string | null;
  bird: string;
  colour: string;
  accuracy: number | null;
  luck: number | null;
}

export interface PlayerReview {
  seat: string;
  name: string;
  score: number;
  rank: number;
  headline: string;
  verdict: string;
  choices: number;
  grades: Record<string, number>;
  accuracy: number | null;
  level: string;
  balance: BalanceInfo;
  spread: number;
  adjusted: number;
  turning: TurningInfo[];
  slips: number[];
}

export interface ReactionData {
  seat: string;
  reaction: string;
}

export interface ReactionPush {
  t: "reaction";
  d: ReactionData;
}

export interface ReplayPage {
  edition: string;
  names: string[];
  headers: Record<string, string>;
  result: string;
  house: EditionInfo | null;
  frames: ReplayStep[];
}

export interface ReplayStep {
  ply: string | null;
  turn: number;
  seat: string | null;
  position: string;
  view: View;
  events: EventInfo[];
  frames: EventFrame[];
  comments: string[];
}

export interface ResultInfo {
  winners: string[];
  scores: number[];
  ranks: number[];
  reason: "resignation" | "shared" | "tie-break" | "worms";
  steals?: number[];
  busts?: number[];
}

export interface ReviewInfo {
  edition: string;
  objective: "win" | "worms";
  over: boolean;
  language: string;
  limits: number[];
  players: PlayerReview[];
  turns: TurnShown[];
  rolls: RollShown[];
  decisions: DecisionShown[];
  texts: Record<string, string>;
  house: EditionInfo | null;
}

export interface RollShown {
  ply: number;
  turn: number;
  dice: string;
  luck: number[];
}

export interface SeatInfo {
  seat: string;
  kind: "bot" | "empty" | "person";
  name: string;
  bot: string | null;
  connected: boolean;
  stand_in: string | null;
  resigned: boolean;
  bird: string;
  colour: string;
  bot_in_ms: number | null;
  coach: boolean;
}

export interface State {
  game: string;
  v: number;
  from: number;
  position: string;
  view: View;
  seat: string | null;
  moves: string[];
  entries: EntryInfo[];
  events: EventInfo[];
  frames: EventFrame[];
  left_ms: number | null;
  dice: string;
  chains: ChainsInfo | null;
  over: boolean;
  result: ResultInfo | null;
}

export interface StatePush {
  t: "state";
  v: number;
  d: State;
}

export interface Summary {
  game: string;
  table: string;
  edition: string;
  started: number;
  finished: number | null;
  players: PlayerInfo[];
  dice: string;
  result: ResultInfo | null;
  yours: string[];
}

export interface TableAndYou {
  table: TableInfo;
  you: You | null;
}

export interface TableData {
  table: TableInfo;
  seats: string[];
}

export interface TableInfo {
  id: string;
  code: string;
  rev: number;
  phase: "closed" | "open" | "over" | "playing";
  public: boolean;
  hints: boolean;
  edition: string;
  first: string;
  timer: number | null;
  away: number | null;
  pace_ms: number;
  host: string | null;
  seats: SeatInfo[];
  game: string | null;
  created: number;
  coach: boolean;
  house: EditionInfo | null;
}

export interface TableList {
  tables: TableInfo[];
}

export interface TablePush {
  t: "table";
  d: TableData;
}

export interface Ten {
  date: string;
  drills: DrillView[];
}

export interface TenAnswer {
  drill: string;
  grade: "best" | "blunder" | "fine" | "inaccuracy" | "mistake";
  cost: number;
  words: string;
  better: string;
  sentence: string;
}

export interface TenResult {
  date: string;
  good: number;
  cost: number;
  line: string;
  answers: TenAnswer[];
  bots: BotTen[];
}

export interface ThemeInfo {
  theme: "missed steal" | "rolled on" | "specialist" | "stopped early" | "wrong face" | "wrong steal" | "wrong tile";
  name: string;
}

export interface TipInfo {
  tip: string;
  k: number;
}

export interface TurnShown {
  turn: number;
  seat: string;
  words: string;
  before: number[];
  after: number[];
  luck: number[];
  error: number;
}

export interface TurningInfo {
  turn: number;
  words: string;
  why: string;
  before: number;
  after: number;
}

export interface View {
  bust: BustView | null;
  bust_prob: number | null;
  claims: ClaimView[];
  dice_left: number;
  edition: string;
  faces_left: string[];
  flipped: number[];
  golden_die?: boolean;
  golden_left?: boolean;
  grill: number[];
  has_worm: boolean;
  keeps: KeepView[];
  kept: string;
  moves: string[];
  over: boolean;
  phase: string;
  position: string;
  ranks: number[] | null;
  reason: string | null;
  rolled: string;
  round_worms?: number[];
  scores: number[];
  seat: string | null;
  specialists?: Record<string, number | string | null>;
  stacks: number[][];
  supply?: number;
  tops: (number | null)[];
  total: number;
  weasel_left?: boolean;
  winners: string[];
}

export interface You {
  host: boolean;
  seats: YourSeat[];
}

export interface YourSeat {
  seat: string;
  secret: string;
}
