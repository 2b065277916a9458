#include "cli/completion.h"

#include <vector>

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/serve_options.h"
#include "cli/settings.h"

namespace partita {
namespace {

enum class Values : std::uint8_t { None, Any, Files, Folders, Words };

// A flag of serve as completion sees it.
struct Completed {
  std::string_view flag;
  Values values = Values::None;
  std::string words{};  // separated by blanks
  std::string meaning{};
};

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

Completed completed(const Setting& setting) {
  Completed flag{.flag = setting.flag,
                 .meaning = std::string(setting.meaning.substr(0, setting.meaning.find('\n')))};
  switch (setting.kind) {
    case SettingKind::Switch:
      flag.values = Values::None;
      break;
    case SettingKind::Choice:
      flag.values = Values::Words;
      flag.words = joined(setting.choices);
      break;
    case SettingKind::Path:
      flag.values = Values::Folders;
      break;
    case SettingKind::Text:
    case SettingKind::Number:
      flag.values = Values::Any;
      break;
  }
  return flag;
}

std::vector<Completed> serve_flags() {
  std::vector<Completed> flags;
  for (const Setting& setting : settings()) flags.push_back(completed(setting));
  for (const ServeCommandFlag& flag : serve_command_flags()) {
    flags.push_back({.flag = flag.flag,
                     .values = flag.placeholder.empty() ? Values::None : Values::Files,
                     .meaning = std::string(flag.meaning)});
  }
  return flags;
}

std::string command_names() {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  return joined(names);
}

std::string bash_script() {
  std::string flags, cases;
  for (const Completed& flag : serve_flags()) {
    flags.append(flags.empty() ? "" : " ").append(flag.flag);
    switch (flag.values) {
      case Values::None:
        break;
      case Values::Any:
        cases.append("    ").append(flag.flag).append(") return ;;\n");
        break;
      case Values::Files:
        cases.append("    ").append(flag.flag).append(
            ") COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n");
        break;
      case Values::Folders:
        cases.append("    ").append(flag.flag).append(
            ") COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n");
        break;
      case Values::Words:
        cases.append("    ").append(flag.flag).append(") COMPREPLY=($(compgen -W \"");
        cases.append(flag.words).append("\" -- \"$word\")); return ;;\n");
        break;
    }
  }
  // "--flag=value" reaches us as three words, because = is among bash's word breaks.
  return "# bash completion for partita: source <(partita completion bash)\n"
         "_partita() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         command_names() +
         "\" -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  if [ \"${COMP_WORDS[1]}\" = completion ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         joined(kShells) +
         "\" -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  if [ \"${COMP_WORDS[1]}\" = clock ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         joined(kClockActions) +
         "\" -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  [ \"${COMP_WORDS[1]}\" = serve ] || return\n"
         "  if [ \"$word\" = = ]; then\n"
         "    word=\n"
         "  elif [ \"$before\" = = ]; then\n"
         "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  case $before in\n" +
         cases +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"" +
         flags +
         "\" -- \"$word\"))\n"
         "}\n"
         "complete -o filenames -F _partita partita\n";
}

// Inside '...[...]...': brackets and colons would end what they stand in.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_script() {
  std::string flags;
  for (const Completed& flag : serve_flags()) {
    flags += "        '" + std::string(flag.flag);
    if (flag.values != Values::None) flags += "=";
    flags += "[" + zsh_text(flag.meaning) + "]";
    if (flag.values == Values::Any) flags += ":value:";
    if (flag.values == Values::Files) flags += ":file:_files";
    if (flag.values == Values::Folders) flags += ":directory:_files -/";
    if (flag.values == Values::Words) flags += ":value:(" + flag.words + ")";
    flags += "' \\\n";
  }
  std::string commands;
  for (const Command& command : kCommands) {
    commands += "    '" + std::string(command.name) + ":" + zsh_text(command.meaning) + "'\n";
  }
  return "#compdef partita\n"
         "# zsh completion for partita: partita completion zsh > \"${fpath[1]}/_partita\"\n"
         "_partita() {\n"
         "  local -a commands\n"
         "  commands=(\n" +
         commands +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  case ${words[2]} in\n"
         "    completion) _values shell " +
         joined(kShells) +
         " ;;\n"
         "    clock) _values action " +
         joined(kClockActions) +
         " ;;\n"
         "    serve)\n"
         "      shift words\n"
         "      (( CURRENT-- ))\n"
         "      _arguments \\\n" +
         flags +
         "        && return ;;\n"
         "  esac\n"
         "}\n"
         "compdef _partita partita\n";
}

std::string fish_script() {
  std::string out =
      "# fish completion for partita: partita completion fish | source\n"
      "complete -c partita -f\n";
  for (const Command& command : kCommands) {
    out += "complete -c partita -n __fish_use_subcommand -a " + std::string(command.name) +
           " -d '" + std::string(command.meaning) + "'\n";
  }
  out += "complete -c partita -n '__fish_seen_subcommand_from completion' -a '" + joined(kShells) +
         "'\n";
  out += "complete -c partita -n '__fish_seen_subcommand_from clock' -a '" + joined(kClockActions) +
         "'\n";
  for (const Completed& flag : serve_flags()) {
    out += "complete -c partita -n '__fish_seen_subcommand_from serve' -l " +
           std::string(flag.flag.substr(2));
    if (flag.values == Values::Any) out += " -x";
    if (flag.values == Values::Files) out += " -r -F";
    if (flag.values == Values::Folders) out += " -x -a '(__fish_complete_directories)'";
    if (flag.values == Values::Words) out += " -x -a '" + flag.words + "'";
    out += " -d '" + flag.meaning + "'\n";
  }
  return out;
}

}  // namespace

Result<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return usage_error("there is no completion for '" + std::string(shell) +
                     "'; choose bash, zsh or fish.");
}

}  // namespace partita
