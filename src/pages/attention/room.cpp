#include "pages/page.h"
#include "pages/quantities.h"
#include "pages/tables.h"

namespace headlight::scene {

std::vector<Table> attention_tables();
std::span<const QuantityInfo> attention_quantities();

namespace {

PageUses uses(const Scene&) {
  return {.model = PageUses::Model::layer, .positions = true, .scores = true, .pins = true};
}

}  // namespace

const PageRoom attention_room{
    .page = Page::attention,
    .title = "Attention",
    .about = "which token attends to which, in every head",
    .uses = uses,
    .tables = attention_tables,
    .quantities = attention_quantities,
};

}  // namespace headlight::scene
