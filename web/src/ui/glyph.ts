/* oxlint-disable hourshare/text-in-catalog -- words in names that people give */
import {
  Bike,
  BookOpen,
  Box,
  Briefcase,
  Camera,
  Car,
  Cloud,
  Code,
  Dumbbell,
  Gamepad2,
  GraduationCap,
  Headphones,
  House,
  Languages,
  type LucideIcon,
  Music,
  Newspaper,
  Palette,
  Plane,
  Sailboat,
  Shield,
  Sparkles,
  Tv,
  Wifi,
  Wrench,
} from 'lucide-react';
import { TINTS, type Tint } from './service-mark.ts';

interface Glyph {
  icon: LucideIcon;
  tint: Tint;
  /** In the languages of the screens. Longer words also fit as parts of others: see `fits`. */
  words: string;
}

/** The first that fits counts, so that a language course isn't any course. */
const glyphs: Glyph[] = [
  {
    icon: Languages,
    tint: 'learn',
    words: 'language sprach langue idiom língua lingua babbel 言語 英語 語学 لغة لغات',
  },
  {
    icon: Bike,
    tint: 'move',
    words: 'bike bicycle fahrrad rad vélo velo bici scooter roller trottinette patinete moto 自転車 دراجة',
  },
  { icon: Plane, tint: 'move', words: 'plane aircraft flug avion avión avião cessna flight 飛行機 طائرة' },
  { icon: Sailboat, tint: 'move', words: 'boat boot yacht jacht sail bateau barco barca 船 ヨット قارب يخت' },
  { icon: Dumbbell, tint: 'move', words: 'gym fitness sport yoga training sauna pool ジム رياضة' },
  {
    icon: Gamepad2,
    tint: 'watch',
    words: 'game gaming spiel jeu juego jogo xbox nintendo switch console konsole ゲーム ألعاب لعبة',
  },
  {
    icon: Camera,
    tint: 'work',
    words: 'camera kamera photo foto caméra cámara câmera drone drohne カメラ 写真 كاميرا صور',
  },
  { icon: Headphones, tint: 'listen', words: 'audio audiobook podcast hörbuch hörbücher radio オーディオ صوت' },
  {
    icon: Music,
    tint: 'listen',
    words: 'music musik musique música musica piano klavier guitar gitarre concert konzert 音楽 موسيقى',
  },
  {
    icon: Newspaper,
    tint: 'learn',
    words: 'news zeitung journal presse prensa jornal magazin revista times 新聞 雑誌 جريدة صحيفة مجلة',
  },
  {
    icon: BookOpen,
    tint: 'learn',
    words: 'book buch bücher livre libro livro kindle library biblio ebook 本 書 كتاب كتب',
  },
  {
    icon: GraduationCap,
    tint: 'learn',
    words: 'course kurs school schule école escuela escola study lern academy akademie uni class 学 講座 دورة مدرسة',
  },
  {
    icon: Sparkles,
    tint: 'work',
    words: 'ai ki ia gpt chatgpt claude copilot gemini openai llm perplexity midjourney ذكاء',
  },
  { icon: Palette, tint: 'work', words: 'adobe canva design photoshop creative art kunst diseño デザイン تصميم' },
  { icon: Code, tint: 'work', words: 'server hosting domain code dev gpu cursor compute サーバー خادم' },
  {
    icon: Briefcase,
    tint: 'work',
    words: 'office microsoft 365 excel büro bureau oficina escritório coworking desk linkedin slack オフィス مكتب',
  },
  {
    icon: Shield,
    tint: 'store',
    words:
      'vpn security sicherheit sécurité seguridad segurança antivirus password passwor insurance versicherung 保険 أمان',
  },
  {
    icon: Wifi,
    tint: 'store',
    words: 'internet wifi wlan phone telefon mobil handy sim starlink fibre glasfaser ネット إنترنت هاتف',
  },
  {
    icon: Cloud,
    tint: 'store',
    words: 'cloud backup storage speicher drive nas onedrive nuage nube nuvem クラウド سحابة نسخ',
  },
  {
    icon: Car,
    tint: 'move',
    words: 'car auto wagen voiture coche carro van truck vw bmw tesla toyota audi ford taxi parking park 車 سيارة',
  },
  {
    icon: House,
    tint: 'store',
    words:
      'house haus home room zimmer raum apartment wohnung garage garten garden maison casa cabin hütte storage lager 家 部屋 بيت غرفة منزل',
  },
  {
    icon: Tv,
    tint: 'watch',
    words:
      'tv television fernseh film movie kino cinema cine stream video vidéo vídeo disney hulu prime series serie 映画 テレビ تلفاز أفلام',
  },
  {
    icon: Wrench,
    tint: 'work',
    words:
      'tool werkzeug outil herramienta ferramenta printer drucker 3d laser saw säge drill bohr machine maschine washer washing wasch 工具 أداة آلة',
  },
];

/** Without spaces between words, every part of a name can be a word. */
const isUnspaced = (word: string) => /[\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}]/u.test(word);

/** How long a word is that fits as the end of another, as "auto" does in "familienauto", and as its beginning, too. */
const MIN_END = 4;
const MIN_BEGINNING = 6;

const fits = (word: string, names: readonly string[]) =>
  names.some((name) => {
    if (isUnspaced(word)) return name.includes(word);
    if (name === word || name === `${word}s`) return true;
    return (
      (word.length >= MIN_END && (name.endsWith(word) || name.endsWith(`${word}s`))) ||
      (word.length >= MIN_BEGINNING && name.startsWith(word))
    );
  });

/** Returns the picture of an asset that has no service mark, guessed from its name, and its tint. */
export function findGlyph(name: string): { icon: LucideIcon; tint: Tint } {
  const names = name
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
  const found = glyphs.find(({ words }) => words.split(' ').some((word) => fits(word, names)));
  if (found) return found;
  // Any tint, but always the same for a name.
  const sum = Array.from(name, (letter) => letter.codePointAt(0) ?? 0).reduce((total, code) => total + code, 0);
  return { icon: Box, tint: TINTS[sum % TINTS.length] ?? 'work' };
}
