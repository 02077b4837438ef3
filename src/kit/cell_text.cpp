#include "kit/cell_text.h"

#include <cmath>
#include <cstdio>
#include <vector>

#include "base/numbers.h"
#include "base/utf8.h"

namespace headlight::views {

namespace {

/// Writes enough digits to read the same double back.
std::string exact(double value) {
  if (std::isnan(value)) return "np.nan";
  if (std::isinf(value)) return value > 0 ? "np.inf" : "-np.inf";
  char out[64];
  std::snprintf(out, sizeof out, "%.17g", value);
  return out;
}

std::string rounded(double value, int decimals = 4) {
  if (std::isnan(value)) return "\\mathrm{NaN}";
  if (std::isinf(value)) return value > 0 ? "\\infty" : "-\\infty";
  return base::with_hyphen(base::fixed(value, decimals));
}

std::string latex_text(std::string_view words) {
  std::string out;
  for (std::size_t at = 0; at < words.size();) {
    const base::CodePoint c = base::decode(words, at);
    at += c.bytes;
    switch (c.value) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '|':
        out += "\\textbar{}";
        break;
      case '"':
        out += "\\textquotedbl{}";
        break;
      case ' ':
        out += "\\textvisiblespace{}";
        break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '%':
      case '_':
        out += '\\';
        out += static_cast<char>(c.value);
        break;
      default:
        if (c.value < 32 || c.value == 127) {
          out += "\\textvisiblespace{}";
        } else {
          base::append_utf8(out, c.value);
        }
    }
  }
  return out;
}

std::string python_text(std::string_view words) {
  std::string out = "\"";
  for (std::size_t at = 0; at < words.size();) {
    const base::CodePoint c = base::decode(words, at);
    at += c.bytes;
    if (c.value == '"' || c.value == '\\') {
      out += '\\';
      out += static_cast<char>(c.value);
    } else if (c.value < 32 || c.value == 127 || (c.value >= 0x80 && c.value < 0xA0) || c.value == 0x2028 ||
               c.value == 0x2029) {
      char escape[16];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c.value));
      out += escape;
    } else {
      base::append_utf8(out, c.value);
    }
  }
  return out + "\"";
}

std::string python_list(const std::vector<double>& values) {
  std::string out = "np.array([";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + exact(values[i]);
  return out + "])";
}

std::string latex_products(const nn::CellTrace& cell) {
  constexpr std::size_t most = 8;
  std::string out;
  for (std::size_t c = 0; c < cell.q.size(); ++c) {
    if (cell.q.size() > most && c == most - 1) {
      out += " + \\cdots";
      break;
    }
    auto factor = [](double v) { return v < 0 ? "(" + rounded(v, 2) + ")" : rounded(v, 2); };
    out += (c > 0 ? " + " : "") + factor(cell.q[c]) + " \\cdot " + factor(cell.k[c]);
  }
  return out;
}

std::string head_list(const nn::CellTrace& cell) {
  std::string out;
  for (const nn::HeadWeight& one : cell.heads)
    out += (out.empty() ? "" : ", ") + std::to_string(one.head + 1);
  return out;
}

/// The weight over several heads is only a mean or a maximum; the text shows that and nothing else.
std::string combined_latex(const nn::CellTrace& cell, std::string_view query, std::string_view key) {
  const std::string at = std::to_string(cell.query) + "," + std::to_string(cell.key);
  std::string numbers;
  for (const nn::HeadWeight& one : cell.heads)
    numbers += (numbers.empty() ? "" : cell.largest ? ", " : " + ") + rounded(one.weight);
  const std::string count = std::to_string(cell.heads.size());
  if (cell.heads.size() == 1)
    return "% attention weight of query \"" + latex_text(query) + "\" (" + std::to_string(cell.query) +
           ") to key \"" + latex_text(key) + "\" (" + std::to_string(cell.key) + "), head " +
           head_list(cell) + ", saved without q and k\n\\begin{align*}\n  \\alpha_{" + at +
           "} &= " + rounded(cell.weight) + "\n\\end{align*}\n";
  std::string out = "% query \"" + latex_text(query) + "\" (" + std::to_string(cell.query) + "), key \"" +
                    latex_text(key) + "\" (" + std::to_string(cell.key) + "): the " +
                    (cell.largest ? "largest" : "mean") + " over heads " + head_list(cell) +
                    "; no weight of the layer\n\\begin{align*}\n";
  out += cell.largest ? "  \\max_h \\alpha^{(h)}_{" + at + "} &= \\max(" + numbers + ")"
                      : "  \\frac{1}{" + count + "} \\sum_h \\alpha^{(h)}_{" + at + "} &= \\frac{" + numbers +
                            "}{" + count + "}";
  return out + " = " + rounded(cell.weight) + "\n\\end{align*}\n";
}

std::string combined_numpy(const nn::CellTrace& cell, std::string_view query, std::string_view key) {
  std::vector<double> weights;
  for (const nn::HeadWeight& one : cell.heads) weights.push_back(one.weight);
  return "import numpy as np\n\nquery, key = " + python_text(query) + ", " + python_text(key) +
         "  # positions " + std::to_string(cell.query) + " and " + std::to_string(cell.key) +
         "\nweights = " + python_list(weights) + "  # of heads " + head_list(cell) + "\nweight = weights." +
         (cell.largest ? "max" : "mean") + "()" +
         (cell.heads.size() == 1 ? "  # saved without q and k" : "  # no weight of the layer") +
         "\nprint(f\"{query} -> {key}: {weight:.6f}\")\n";
}

/// Returns the factor that an imported model applies to q · k besides √d_k and the temperature.
double factor_of(const nn::CellTrace& cell) {
  const double factor = cell.sqrt_d_k * cell.temperature / cell.divisor;
  return std::abs(factor - 1) < 1e-12 ? 1 : factor;
}

}  // namespace

std::string cell_latex(const nn::CellTrace& cell, std::string_view query, std::string_view key) {
  if (!cell.heads.empty()) return combined_latex(cell, query, key);
  const std::string i = std::to_string(cell.query), j = std::to_string(cell.key);
  const std::string s = "s_{" + i + "," + j + "}", alpha = "\\alpha_{" + i + "," + j + "}";
  std::string out = "% attention weight of query \"" + latex_text(query) + "\" (" + i + ") to key \"" +
                    latex_text(key) + "\" (" + j + "), head " + std::to_string(cell.head + 1) +
                    "\n\\begin{align*}\n";
  out += "  q_{" + i + "} \\cdot k_{" + j + "} &= " + latex_products(cell) + " = " + rounded(cell.dot) +
         " \\\\\n";
  const double factor = factor_of(cell);
  std::string scale;
  if (cell.sqrt_d_k != 1 || cell.q.size() == 1) scale = "\\sqrt{" + std::to_string(cell.q.size()) + "}";
  if (cell.temperature != 1) scale += (scale.empty() ? "" : " \\cdot ") + rounded(cell.temperature);
  const std::string add = cell.add != 0 ? (cell.add < 0 ? " - " : " + ") + rounded(std::abs(cell.add)) : "";
  std::string scaled = scale.empty() ? rounded(cell.dot) : "\\frac{" + rounded(cell.dot) + "}{" + scale + "}";
  if (factor != 1) scaled += " \\cdot " + rounded(factor, 6);
  if (cell.cap > 0)
    scaled = rounded(cell.cap, 1) + " \\tanh\\frac{" + scaled + "}{" + rounded(cell.cap, 1) + "}";
  out += "  " + s + " &= " + scaled + add + " = " + rounded(cell.score) + " \\\\\n";
  if (!cell.allowed) {
    out += "  " + alpha + " &= 0 \\quad\\text{(masked)}\n\\end{align*}\n";
    return out;
  }
  out += "  " + alpha + " &= \\frac{\\exp(" + s + " - \\max_{j'} s_{" + i + ",j'})}{\\sum_{j'} \\exp(s_{" +
         i + ",j'} - \\max_{j''} s_{" + i + ",j''})}\n     = \\frac{\\exp(" + rounded(cell.score) + " - " +
         (cell.row_max < 0 ? "(" + rounded(cell.row_max) + ")" : rounded(cell.row_max)) + ")}{" +
         rounded(cell.row_sum) + "} = " + rounded(cell.weight) + "\n\\end{align*}\n";
  return out;
}

std::string cell_numpy(const nn::CellTrace& cell, std::string_view query, std::string_view key) {
  if (!cell.heads.empty()) return combined_numpy(cell, query, key);
  std::string out = "import numpy as np\n\n";
  out += "query, key = " + python_text(query) + ", " + python_text(key) + "  # positions " +
         std::to_string(cell.query) + " and " + std::to_string(cell.key) + ", head " +
         std::to_string(cell.head + 1) + "\n";
  out += "q = " + python_list(cell.q) + "\n";
  out += "k = " + python_list(cell.k) + "\n";
  out += "score = q @ k / " + exact(cell.divisor);
  if (cell.divisor != 1) {
    out += factor_of(cell) == 1 ? "  # sqrt(d_k)" : "  # 1 / the scale of the model";
    if (cell.temperature != 1) out += " * temperature " + exact(cell.temperature);
  }
  out += "\n";
  if (cell.cap > 0)
    out += "score = " + exact(cell.cap) + " * np.tanh(score / " + exact(cell.cap) + ")  # soft cap\n";
  if (cell.add != 0) out += "score += " + exact(cell.add) + "  # bias\n";
  if (!cell.allowed) {
    out += "weight = 0.0  # masked: this query may not attend to this key\n";
  } else {
    out += "row_max = " + exact(cell.row_max) + "  # largest score of the row\n";
    out += "row_sum = " + exact(cell.row_sum) + "  # sum of exp(score - row_max) over the row\n";
    out += "weight = np.exp(score - row_max) / row_sum\n";
  }
  out += "print(f\"{query} -> {key}: {weight:.6f}\")\n";
  return out;
}

}  // namespace headlight::views
